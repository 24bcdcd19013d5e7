import { MODE_SPECS, type Mode } from '@keepfirst/protocol'
import type { Command } from 'commander'
import { InvalidArgumentError, Option } from 'commander'
import { type ColumnChoice, hasNames } from './columns.ts'
import { type Documentation, document } from './documentation.ts'
import { addApiFlags, apiOptions } from './flags.ts'
import { parseMemory } from './key-memory.ts'
import type { SharedFlags } from './run.ts'

/*
 * The commands that work on local files: `keepfirst lines`, `rows` and `json`. A command's code is loaded when the
 * command is run.
 */

interface LinesFlags extends SharedFlags {
  readonly null?: boolean
}

interface RowsFlags extends SharedFlags {
  readonly keyColumns?: ColumnChoice
  readonly fuzzy?: boolean
  readonly header: boolean
  readonly delimiter?: number
  readonly keepEmpty?: boolean
}

interface JsonFlags extends SharedFlags {
  readonly lines?: boolean
}

/** Adds the local commands to a program. */
export function addLocalCommands(program: Command): void {
  addLines(program)
  addRows(program)
  addJson(program)
}

function addLines(program: Command): void {
  add(program, 'lines', {
    description: 'remove duplicate lines',
    flags: [new Option('-0, --null', 'lines end with a NUL byte, as in the output of find -print0')],
    examples: [
      { typed: 'keepfirst lines list.txt > clean.txt', does: 'the first of equal lines, in order' },
      {
        typed: 'keepfirst lines --in-place --trim -i list.txt',
        does: 'replace the file, ignoring case and surrounding spaces',
      },
    ],
  }).action(async (files: string[], flags: LinesFlags) => {
    const [{ run }, { linesWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
    await run({ files, flags, ...linesWork(apiOptions('lines', flags), { nullSeparated: flags.null ?? false }) })
  })
}

function addRows(program: Command): void {
  add(program, 'rows', {
    description: 'remove duplicate rows from CSV',
    flags: [
      new Option('-d, --delimiter <character>', 'the separator between cells: one byte or \\t').argParser(
        delimiterByte,
      ),
      new Option('--keep-empty', 'keep every row whose whole key is empty'),
    ],
    examples: [
      { typed: 'keepfirst rows -k email people.csv -o clean.csv', does: 'the first row for each address' },
      {
        typed: 'keepfirst rows --fuzzy -k name --removed report.csv people.csv > clean.csv',
        does: 'similar names too, with a report of what was dropped and why',
      },
    ],
    notes: [
      'Columns are names from the header or numbers from 0. Quote a name that contains a comma or is a number: -k \'"name, first",id\'. -k may be repeated.',
      `A threshold of 0.9 lets one character in ten differ, which is wrong for codes, telephone numbers and dates, where one digit changes the meaning. ${MODE_SPECS.rows.options.threshold.advice} Check what was dropped with --removed.`,
    ],
  })
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
  add(program, 'json', {
    description: 'remove duplicate items from a JSON array, or from values one per line',
    flags: [new Option('--lines', 'one value per line, even if the first one is an array')],
    examples: [
      { typed: 'keepfirst json -k user.id events.jsonl > clean.jsonl', does: 'the first event for each user' },
      { typed: 'keepfirst json -o clean.json items.json', does: 'the first of equal items in an array' },
    ],
  }).action(async (files: string[], flags: JsonFlags) => {
    const [{ run }, { jsonWork }] = await Promise.all([import('./run.ts'), import('./work.ts')])
    await run({ files, flags, ...jsonWork(apiOptions('json', flags), { isLines: flags.lines ?? false }) })
  })
}

/** What distinguishes a command from the others. */
interface Own extends Pick<Documentation, 'examples' | 'notes'> {
  readonly description: string
  readonly flags: readonly Option[]
}

const ENVIRONMENT: Documentation['environment'] = [
  { name: 'TMPDIR', says: 'folder for keys and lines that do not fit in memory' },
]

/** Adds a command with the flags of its mode, its own flags, and the flags that all of these commands share. */
function add(program: Command, mode: Mode, { description, flags, ...documentation }: Own): Command {
  const command = program
    .command(mode)
    .description(description)
    .argument('[FILE...]', 'files to read, gzip allowed; standard input if none is given')
  addApiFlags(command, mode)
  for (const option of flags) command.addOption(option)
  command
    .option('-o, --output <FILE>', 'write to FILE, with gzip if its name ends in .gz')
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
  return document(command, { ...documentation, environment: ENVIRONMENT })
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
