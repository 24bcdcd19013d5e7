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
 * The commands that work on this machine's own files: `keepfirst lines`, `rows` and `json`. What a command works with
 * is loaded when it is called.
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

/** Adds the commands to a program. */
export function addLocalCommands(program: Command): void {
  addLines(program)
  addRows(program)
  addJson(program)
}

function addLines(program: Command): void {
  add(program, 'lines', 'remove duplicate lines', [
    new Option('-0, --null', 'lines end with a NUL byte, as those of find -print0 do'),
  ]).action(async (files: string[], flags: LinesFlags) => {
    const [{ run }, { linesWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
    await run({ files, flags, ...linesWork(apiOptions('lines', flags), { nullSeparated: flags.null ?? false }) })
  })
}

function addRows(program: Command): void {
  add(program, 'rows', 'remove duplicate rows of a CSV', [
    new Option('-d, --delimiter <character>', 'what parts cells, one byte or \\t').argParser(delimiterByte),
    new Option('--keep-empty', 'keep every row whose whole key is empty'),
  ])
    .hook('preAction', (_, called) => {
      const { keyColumns, header, fuzzy, memory } = called.opts<RowsFlags>()
      if (fuzzy && memory !== undefined)
        called.error('error: --fuzzy holds all of the input: --memory cannot bound that')
      if (keyColumns && hasNames(keyColumns) && !header)
        called.error('error: with --no-header there are no names: columns are numbers from 0')
    })
    .action(async (files: string[], flags: RowsFlags) => {
      const [{ run }, { rowsWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
      const { keyColumns: choice, delimiter, keepEmpty = false } = flags
      await run({ files, flags, ...(await rowsWork(apiOptions('rows', flags), { choice, delimiter, keepEmpty })) })
    })
}

function addJson(program: Command): void {
  add(program, 'json', 'remove duplicate items of a JSON array, or values one a line', [
    new Option('--lines', 'one value a line, even when the first one is an array'),
  ]).action(async (files: string[], flags: JsonFlags) => {
    const [{ run }, { jsonWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
    await run({ files, flags, ...jsonWork(apiOptions('json', flags), { isLines: flags.lines ?? false }) })
  })
}

/** A command with the flags of its mode, those of its own, and those that all three share. */
function add(program: Command, form: Form, description: string, own: readonly Option[]): Command {
  const command = program
    .command(form)
    .description(description)
    .argument('[FILE...]', 'what to read, unpacked when it is in gzip form; standard input when there is none')
  addApiFlags(command, form)
  for (const option of own) command.addOption(option)
  command
    .addOption(new Option('-o, --output <FILE>', 'write to FILE, packed when it ends in .gz'))
    .addOption(new Option('--in-place', 'replace the one FILE by what survives of it').conflicts('output'))
    .option('--removed <FILE>', 'write what was dropped to FILE, with its position and its survivor’s')
    .option('--count', 'print how many were kept and removed, and how many keys were empty, on standard error')
    .addOption(
      new Option('--memory <size>', 'what keys may take in memory, 512M or 2G; beyond it, temporary files').argParser(
        memory,
      ),
    )
    .option('--exact', 'compare every byte of every key; takes memory for the keys')
    .hook('preAction', (_, called) => {
      const isOneFile = called.args.length === 1 && called.args[0] !== '-'
      if (called.opts<SharedFlags>().inPlace && !isOneFile) called.error('error: --in-place takes exactly one FILE')
    })
  return document(command, DOCUMENTATION[form])
}

function memory(text: string): number {
  const bytes = parseMemory(text)
  if (bytes === undefined) throw new InvalidArgumentError('A size such as 512M or 2G, at least 1M.')
  return bytes
}

const TAB = 0x09

/** Quotes and line breaks have their own meaning in a CSV, and a byte of a longer character is not a character. */
function delimiterByte(text: string): number {
  if (text === '\\t') return TAB
  const bytes = Buffer.from(text)
  const [byte] = bytes
  if (byte === undefined || bytes.length > 1 || '"\r\n'.includes(text))
    throw new InvalidArgumentError('One byte, not a quote or a line break; a tab is written \\t.')
  return byte
}
