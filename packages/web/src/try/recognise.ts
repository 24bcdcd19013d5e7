import { type Mode, withNoun } from '@keepfirst/protocol'
import { SEPARATOR_NAMES, SEPARATORS, type Separator } from './question.ts'

/*
 * Guesses from the beginning of a list how to read it. Guesses are offered, never applied automatically. Pure.
 */

/** A way to read a list. The separator matters only in rows mode. */
export interface Reading {
  readonly mode: Mode
  readonly separator: Separator
}

/** A reading with the sentence that offers it, such as "This looks like CSV: 30 rows, 10 columns." */
export interface Guess extends Reading {
  readonly sentence: string
}

/** The beginning of a list. */
export interface Beginning {
  readonly text: string
  /** Length of the whole list in bytes or characters, as close to the unit of `text.length` as is known. */
  readonly wholeLength: number
  /** Name of the file, if it is one. */
  readonly name: string | undefined
}

/** How many bytes of a list to look at. */
export const BEGINNING_BYTES = 65_536

/** How a list should probably be read, or undefined if it looks like lines. */
export function recognise(beginning: Beginning): Guess | undefined {
  return recogniseJson(beginning) ?? recogniseRows(beginning)
}

const MIN_VALUES = 2

function recogniseJson({ text, wholeLength, name }: Beginning): Guess | undefined {
  const guess = (kind: string): Guess => ({ mode: 'json', separator: ',', sentence: `This looks like ${kind}.` })
  const whole = text.length >= wholeLength
  const start = text.trimStart()
  if (start.startsWith('[')) {
    const value = whole ? parsed(start) : undefined
    if (Array.isArray(value)) return guess(`JSON: ${withNoun(value.length, 'item')}`)
    if (!whole && /^\[\s*["[{]/.test(start) && !/\][ \t]*\n\s*\[/.test(start)) return guess('JSON')
  }
  const named = /\.(?:jsonl|ndjson)$/i.test(name ?? '')
  if (!named && !/^[[{]/.test(start)) return undefined
  const lines = completeLines(text, whole).filter((line) => line.trim() !== '')
  const atLeast = named ? 1 : MIN_VALUES
  if (lines.length < atLeast || !lines.every((line) => parsed(line) !== undefined)) return undefined
  return guess(`JSON Lines: ${about(lines.length, { text, wholeLength }, 'value')}`)
}

/** The lines that are complete. */
function completeLines(text: string, whole: boolean): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  return whole ? lines : lines.slice(0, -1)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Grid {
  readonly separator: Separator
  readonly rows: number
  readonly columns: number
  /** The fraction of rows with as many cells as the first one, 0 to 1. */
  readonly regular: number
}

/** Real exports have a ragged row here and there. */
const REGULAR_ENOUGH = 0.8

function recogniseRows({ text, wholeLength, name }: Beginning): Guess | undefined {
  const named = /\.(?:csv|tsv)$/i.test(name ?? '')
  const whole = text.length >= wholeLength
  const grids = SEPARATORS.map((separator) => gridOf(text, separator, whole))
  const fitting = grids.filter((grid) => grid.rows > 1 && grid.columns > 1 && grid.regular >= REGULAR_ENOUGH)
  const best = fitting
    .filter((grid) => named || isTable(text, grid))
    .sort((a, b) => b.regular - a.regular || b.columns - a.columns)[0]
  const grid = best ?? (named ? grids[0] : undefined)
  if (!grid || grid.rows === 0) return undefined
  const rows = about(grid.rows - 1, { text, wholeLength }, 'row')
  const kind = grid.separator === ',' ? 'like CSV' : `separated by ${SEPARATOR_NAMES[grid.separator]}`
  const sentence = `This looks ${kind}: ${rows}, ${withNoun(grid.columns, 'column')}.`
  return { mode: 'rows', separator: grid.separator, sentence }
}

/** Names written as "Smith, John" and sentences contain commas as well, so two columns must look like cells. */
function isTable(text: string, { separator, rows, columns, regular }: Grid): boolean {
  if (columns > 2) return true
  return rows > 2 && regular === 1 && !(separator === ',' && /,[ \t]/.test(text))
}

/** Rows and columns with this separator; the engine's grammar in a few lines. */
function gridOf(text: string, separator: Separator, whole: boolean): Grid {
  const cell = new RegExp(
    `(?:"(?:[^"]|"")*"(?=[${separator}\\r\\n]|$)|[^${separator}\\r\\n]*)(${separator}|\\r\\n|\\n|\\r|$)`,
    'y',
  )
  const widths: number[] = []
  let width = 0
  const mark = text.startsWith('\ufeff') ? 1 : 0
  for (cell.lastIndex = mark; cell.lastIndex < text.length; ) {
    const end = cell.exec(text)?.[1]
    if (end === undefined) break
    width += 1
    if (end === separator) {
      if (cell.lastIndex === text.length) widths.push(width + 1)
      continue
    }
    if (end !== '' || whole) widths.push(width)
    width = 0
  }
  const columns = widths[0] ?? 0
  const matching = widths.filter((other) => other === columns).length
  return { separator, rows: widths.length, columns, regular: widths.length === 0 ? 0 : matching / widths.length }
}

/** A count; extrapolated and rounded to two digits if only the beginning was counted. */
function about(count: number, of: { text: string; wholeLength: number }, noun: string): string {
  if (of.text.length >= of.wholeLength || count === 0) return withNoun(count, noun)
  const whole = Math.round((count / of.text.length) * of.wholeLength)
  return `about ${withNoun(Number(whole.toPrecision(2)), noun)}`
}

const MAGIC: readonly { readonly bytes: readonly number[]; readonly advice: string }[] = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    advice:
      'This is a workbook or a zip file. In a spreadsheet program, save the sheet as CSV UTF-8 and open that file.',
  },
  {
    bytes: [0xd0, 0xcf, 0x11, 0xe0],
    advice: 'This is an old workbook. In a spreadsheet program, save the sheet as CSV UTF-8 and open that file.',
  },
  {
    bytes: [0x1f, 0x8b],
    advice: 'This file is compressed with gzip. Unpack it and open the content; the command line reads it as it is.',
  },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], advice: 'This file is compressed with zstd. Unpack it and open the content.' },
  { bytes: [0x25, 0x50, 0x44, 0x46], advice: 'This is a PDF. Copy the list out of it and paste it here.' },
  { bytes: [0xff, 0xfe], advice: 'This file is in UTF-16. Save it as UTF-8 (in Excel: CSV UTF-8) and open that file.' },
  { bytes: [0xfe, 0xff], advice: 'This file is in UTF-16. Save it as UTF-8 (in Excel: CSV UTF-8) and open that file.' },
]

/** What to do with a file that cannot be read as a list, or undefined if its first bytes may be text. */
export function adviceFor(firstBytes: Uint8Array): string | undefined {
  return MAGIC.find(({ bytes }) => bytes.every((byte, at) => firstBytes[at] === byte))?.advice
}
