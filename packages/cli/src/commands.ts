import { randomInt } from 'node:crypto'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { document } from './documentation.ts'
import { DOCUMENTATION } from './local-documentation.ts'
import type { Form } from './removed.ts'
import type { SharedFlags } from './run.ts'

/*
 * The commands that work on this machine's own files: `keepfirst lines`, `rows` and `json`. What a command works with
 * is loaded when it is called.
 */

interface LinesFlags extends SharedFlags {
  trim?: boolean
  ignoreCase?: boolean
  dropEmpty?: boolean
}

interface RowsFlags extends SharedFlags {
  keyColumns?: number[]
  header: boolean
  ignoreCase?: boolean
  fuzzy?: boolean
  threshold: number
}

interface JsonFlags extends SharedFlags {
  key: string
  lines?: boolean
}

/** Adds the commands to a program. */
export function addLocalCommands(program: Command): void {
  addLines(program)
  addRows(program)
  addJson(program)
}

function addLines(program: Command): void {
  add(program, 'lines', 'remove duplicate lines', (command) =>
    command
      .option('--trim', 'strip white space around each line; the stripped line is what stays')
      .option('-i, --ignore-case', 'compare without regard to case')
      .option('--drop-empty', 'leave empty lines out'),
  ).action(async (files: string[], flags: LinesFlags) => {
    const [{ run }, { siftLines }] = await Promise.all([import('./run.ts'), import('@keepfirst/engine/stream')])
    const { trim = false, ignoreCase = false, dropEmpty = false } = flags
    await run({ form: 'lines', files, flags, sifter: (stream) => siftLines({ trim, ignoreCase, dropEmpty }, stream) })
  })
}

function addRows(program: Command): void {
  add(program, 'rows', 'remove duplicate rows of a CSV', (command) =>
    command
      .option('-k, --key-columns <columns>', 'compare these columns alone, counted from 0: 0,2', columnNumbers)
      .option('--no-header', 'the first row is not a header')
      .option('-i, --ignore-case', 'compare without regard to case')
      .option('--fuzzy', 'rows that are nearly alike are duplicates, too')
      .option('--threshold <number>', 'how alike, for --fuzzy: 0.5 to 1', similarity, 0.9),
  ).action(async (files: string[], flags: RowsFlags) => {
    const { keyColumns = [], header: hasHeader, ignoreCase = false, threshold } = flags
    const [{ run }, engine] = await Promise.all([import('./run.ts'), import('@keepfirst/engine/stream')])
    if (!flags.fuzzy) {
      const options = { keyColumns, hasHeader, caseSensitive: !ignoreCase }
      return run({ form: 'rows', files, flags, sifter: (stream) => engine.siftRows(options, stream) })
    }
    const { judgeFuzzy } = await import('@keepfirst/engine/fuzzy')
    const judgeKeys = (keys: readonly string[]) => judgeFuzzy(keys, threshold, undefined, randomInt(2 ** 32))
    const options = { keyColumns, hasHeader, judgeKeys }
    return run({ form: 'rows', files, flags, sifter: (stream) => engine.siftFuzzyRows(options, stream) })
  })
}

function addJson(program: Command): void {
  add(program, 'json', 'remove duplicate items of a JSON array, or values one a line', (command) =>
    command
      .option('-k, --key <path>', 'compare what stands at this path in each item: a.b', '')
      .option('--lines', 'one value a line, even when the first one is an array'),
  ).action(async (files: string[], flags: JsonFlags) => {
    const [{ run }, { siftJson }] = await Promise.all([import('./run.ts'), import('@keepfirst/engine/stream')])
    const { key, lines: isLines = false } = flags
    await run({ form: 'json', files, flags, sifter: (stream) => siftJson({ key, isLines }, stream) })
  })
}

/** A command with its own flags, then those that all three share. */
function add(program: Command, form: Form, description: string, withFlags: (command: Command) => Command): Command {
  const command = withFlags(
    program
      .command(form)
      .description(description)
      .argument('[FILE...]', 'what to read, unpacked when it is in gzip form; standard input when there is none'),
  )
    .addOption(new Option('-o, --output <FILE>', 'write to FILE, packed when it ends in .gz'))
    .addOption(new Option('--in-place', 'replace the one FILE by what survives of it').conflicts('output'))
    .option('--removed <FILE>', 'write what was dropped to FILE, with its position and its survivor’s')
    .option('--count', 'print how many were kept and removed on standard error')
    .option('--exact', 'compare every byte of every key; takes memory for the keys')
    .hook('preAction', (_, called) => {
      const isOneFile = called.args.length === 1 && called.args[0] !== '-'
      if (called.opts<SharedFlags>().inPlace && !isOneFile) called.error('error: --in-place takes exactly one FILE')
    })
  return document(command, DOCUMENTATION[form])
}

function columnNumbers(list: string): number[] {
  const numbers = list.split(',').map((part) => part.trim())
  if (!numbers.every((part) => /^[0-9]+$/.test(part)))
    throw new InvalidArgumentError('Columns are numbers from 0, with commas between.')
  return numbers.map(Number)
}

function similarity(text: string): number {
  const number = Number(text)
  if (text.trim() === '' || !(number >= 0.5 && number <= 1))
    throw new InvalidArgumentError('A number between 0.5 and 1.')
  return number
}
