import { writeRow } from '@keepfirst/protocol'
import { InvalidInputError } from './errors.ts'

const LINE_BREAK = /[\r\n]/

/**
 * Joins lines into one string.
 * @throws InvalidInputError when a line contains a line break
 */
export function writeLines(lines: string | readonly string[]): string {
  if (typeof lines === 'string') return lines
  if (!Array.isArray(lines)) throw new InvalidInputError('lines takes a string or an array of strings')
  for (const [index, line] of lines.entries()) {
    if (typeof line !== 'string') throw new InvalidInputError(`lines[${index}] is not a string`)
    if (LINE_BREAK.test(line))
      throw new InvalidInputError(`lines[${index}] has a line break: it would become two lines`)
  }
  return lines.join('\n')
}

/**
 * Writes rows as CSV.
 * @throws InvalidInputError when a cell is not a string or a row has no cells, which CSV cannot represent
 */
export function writeRows(rows: string | readonly (readonly string[])[]): string {
  if (typeof rows === 'string') return rows
  if (!Array.isArray(rows)) throw new InvalidInputError('rows takes a CSV string or an array of arrays of strings')
  return rows.map((row, index) => writeRow(checkedRow(row, `rows[${index}]`))).join('\n')
}

function checkedRow(row: readonly string[], path: string): readonly string[] {
  if (!Array.isArray(row)) throw new InvalidInputError(`${path} is not an array of strings`)
  if (row.length === 0) throw new InvalidInputError(`${path} has no cells; a row of one empty cell is ['']`)
  for (const [index, cell] of row.entries()) {
    if (typeof cell !== 'string') throw new InvalidInputError(`${path}[${index}] is not a string; cells are text`)
  }
  return row
}

const CELL = /(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/gy

/**
 * The cells of a CSV text as the service writes it: rows joined by `\n`, quoted only where necessary.
 * @param csv the CSV text
 * @param count the number of rows, since no rows and one row with one empty cell have the same text
 */
export function readRows(csv: string, count: number): string[][] {
  if (count === 0) return []
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, bare = '', end] of csv.matchAll(CELL)) {
    row.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end === ',') continue
    rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}
