import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { type ColumnChoice, hasNames } from './columns.ts'
import { document } from './documentation.ts'
import { addApiFlags, apiOptions } from './flags.ts'
import { parseMemory } from './key-memory.ts'
import { DOCUMENTATION } from './local-documentation.ts'
import type { Form } from './removed.ts'
import type { SharedFlags } from './run.ts'

/*
 * The commands that work on local files: `keepfirst lines`, `rows` and `json`. A command's code is loaded when the
 * command is run.
 */

interface LinesFlags extends SharedFlags {
  null?: boolean
}

interface RowsFlags extends SharedFlags {
  keyColumns?: ColumnChoice
  fuzzy?: boolean
  header: boolean
  delimiter?: number
  keepEmpty?: boolean
}

interface JsonFlags extends SharedFlags {
  lines?: boolean
}

/** Adds the local commands to a program. */
export function addLocalCommands(program: Command): void {
  addLines(program)
  addRows(program)
  addJson(program)
}

function addLines(program: Command): void {
  add(program, 'lines', 'remove duplicate lines', [
    new Option('-0, --null', 'lines end with a NUL byte, as in the output of find -print0'),
  ]).action(async (files: string[], flags: LinesFlags) => {
    const [{ run }, { linesWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
    await run({ files, flags, ...linesWork(apiOptions('lines', flags), { nullSeparated: flags.null ?? false }) })
  })
}

function addRows(program: Command): void {
  add(program, 'rows', 'remove duplicate rows from CSV', [
    new Option('-d, --delimiter <character>', 'the separator between cells: one byte or \\t').argParser(delimiterByte),
    new Option('--keep-empty', 'keep every row whose whole key is empty'),
  ])
    .hook('preAction', (_, called) => {
      const { keyColumns, header, fuzzy, memory } = called.opts<RowsFlags>()
      if (fuzzy && memory !== undefined)
        called.error('error: --fuzzy keeps the whole input in memory; --memory cannot limit that')
      if (keyColumns && hasNames(keyColumns) && !header)
        called.error('error: with --no-header columns have no names; use numbers from 0')
    })
    .action(async (files: string[], flags: RowsFlags) => {
      const [{ run }, { rowsWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
      const { keyColumns: choice, delimiter, keepEmpty = false } = flags
      await run({ files, flags, ...(await rowsWork(apiOptions('rows', flags), { choice, delimiter, keepEmpty })) })
    })
}

function addJson(program: Command): void {
  add(program, 'json', 'remove duplicate items from a JSON array, or from values one per line', [
    new Option('--lines', 'one value per line, even if the first one is an array'),
  ]).action(async (files: string[], flags: JsonFlags) => {
    const [{ run }, { jsonWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
    await run({ files, flags, ...jsonWork(apiOptions('json', flags), { isLines: flags.lines ?? false }) })
  })
}

/** Adds a command with the flags of its mode, its own flags, and the flags that all three commands share. */
function add(program: Command, form: Form, description: string, own: readonly Option[]): Command {
  const command = program
    .command(form)
    .description(description)
    .argument('[FILE...]', 'files to read, gzip allowed; standard input if none is given')
  addApiFlags(command, form)
  for (const option of own) command.addOption(option)
  command
    .addOption(new Option('-o, --output <FILE>', 'write to FILE, with gzip if its name ends in .gz'))
    .addOption(new Option('--in-place', 'replace the FILE with what survives').conflicts('output'))
    .option('--removed <FILE>', 'write what was dropped to FILE, with its position and that of its survivor')
    .option('--count', 'print how many were kept and removed, and how many keys were empty, on standard error')
    .addOption(
      new Option('--memory <size>', 'memory for keys, such as 512M or 2G; beyond that, temporary files').argParser(
        memory,
      ),
    )
    .option('--exact', 'compare every byte of every key; needs memory for the keys')
    .hook('preAction', (_, called) => {
      const isOneFile = called.args.length === 1 && called.args[0] !== '-'
      if (called.opts<SharedFlags>().inPlace && !isOneFile) called.error('error: --in-place takes exactly one FILE')
    })
  return document(command, DOCUMENTATION[form])
}

function memory(text: string): number {
  const bytes = parseMemory(text)
  if (bytes === undefined) throw new InvalidArgumentError('Use a size such as 512M or 2G, at least 1M.')
  return bytes
}

const TAB = 0x09

/** Quotes and line breaks already have a meaning in CSV, and one byte of a multi-byte character is not a character. */
function delimiterByte(text: string): number {
  if (text === '\\t') return TAB
  const bytes = Buffer.from(text)
  const [byte] = bytes
  if (byte === undefined || bytes.length > 1 || '"\r\n'.includes(text))
    throw new InvalidArgumentError('Use one byte other than a quote or a line break; a tab is written \\t.')
  return byte
}
