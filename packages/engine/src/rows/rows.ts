import { Spans } from '../spans.ts'
import { judgeByKey, type ShouldStop, survivors, type Verdicts } from '../verdicts.ts'
import { behindBreak, cellEnd, cellValue, hasNext, writeCell } from './csv.ts'

/** A CSV text as the list of its data rows. Rows are numbered from 0, the header apart. */
export interface Rows {
  /** Data rows. */
  readonly count: number
  /** The text without a leading byte-order mark, and where each of its rows stands, the header included. */
  readonly text: string
  readonly spans: Spans
  /** Rows in front of the data: 1 when there is a header. */
  readonly headers: number
}

/** How rows are compared exactly. */
export interface RowsMatching {
  /** Zero-based; empty means the whole row. A column that is named twice counts once. */
  readonly keyColumns: readonly number[]
  readonly caseSensitive: boolean
}

const BYTE_ORDER_MARK = '\ufeff'

/**
 * Reads a CSV text. One leading byte-order mark is stripped, a row break at the very end starts no further
 * row, a blank line is a row of one empty cell, and the empty text has no rows at all.
 */
export function readRows(csv: string, { hasHeader }: { readonly hasHeader: boolean }): Rows {
  const text = csv.startsWith(BYTE_ORDER_MARK) ? csv.slice(1) : csv
  const spans = new Spans()
  let start = 0
  while (start < text.length) {
    let end = cellEnd(text, start)
    while (hasNext(text, end)) end = cellEnd(text, end + 1)
    spans.push(start, end)
    start = behindBreak(text, end)
  }
  const headers = hasHeader && spans.count > 0 ? 1 : 0
  return { count: spans.count - headers, text, spans, headers }
}

/** Decides which rows stay, by exact comparison. Throws `Stopped` when told to stop. */
export function judgeRows(rows: Rows, matching: RowsMatching, shouldStop?: ShouldStop): Verdicts {
  const columns = distinct(matching.keyColumns)
  const keyOf = (row: number): string =>
    columns.length === 0 ? rowText(rows, row) : cellsKey(chosenCells(rows, row, columns))
  // Lower-casing looks at the letters around a capital sigma. It sees none across a comma, a quote or a line
  // break, so that lower-casing cells written side by side is lower-casing each of them.
  const lowerKeyOf = (row: number): string => keyOf(row).toLowerCase()
  return judgeByKey(rows.count, matching.caseSensitive ? keyOf : lowerKeyOf, shouldStop)
}

/**
 * The texts that fuzzy comparison starts from: of each row the chosen cells (all, when `keyColumns` is empty),
 * in the order of the columns, joined by one space. Cells that a row lacks at its end would add white space only.
 */
export function fuzzyKeys(rows: Rows, keyColumns: readonly number[]): string[] {
  const columns = distinct(keyColumns)
  const cells = (row: number) => (columns.length === 0 ? cellsOf(rows, row) : chosenCells(rows, row, columns))
  return Array.from({ length: rows.count }, (_, row) => cells(row).join(' '))
}

/** The header, if there is one, and the rows that stay, as CSV: joined by `\n`, quoted where needed. */
export function writeRows(rows: Rows, verdicts: Verdicts): string {
  const kept = survivors(verdicts, (row) => rowText(rows, row))
  const header = headerText(rows)
  if (header !== undefined) kept.unshift(header)
  return kept.join('\n')
}

/** The header as it is written, or undefined when there is none. */
export function headerText(rows: Rows): string | undefined {
  return rows.headers === 1 ? rowText(rows, -1) : undefined
}

/** A row as it is written. Two rows have the same cells exactly when this text is the same. */
export function rowText(rows: Rows, row: number): string {
  const { text, spans, headers } = rows
  const source = text.slice(spans.start(row + headers), spans.end(row + headers))
  return source.includes('"') ? cellsOf(rows, row).map(writeCell).join(',') : source
}

/** The cells of a row. */
export function cellsOf(rows: Rows, row: number): string[] {
  const { text } = rows
  const cells: string[] = []
  let start = rows.spans.start(row + rows.headers)
  for (;;) {
    const end = cellEnd(text, start)
    cells.push(cellValue(text, start, end))
    if (!hasNext(text, end)) return cells
    start = end + 1
  }
}

/**
 * The cells of a row that stand in `columns` (ascending), as far as the row has them. The work is bounded by
 * the length of the row, however many columns are named.
 */
function chosenCells(rows: Rows, row: number, columns: readonly number[]): string[] {
  const { text } = rows
  const cells: string[] = []
  let start = rows.spans.start(row + rows.headers)
  for (let column = 0; cells.length < columns.length; column += 1) {
    const end = cellEnd(text, start)
    if (column === columns[cells.length]) cells.push(cellValue(text, start, end))
    if (!hasNext(text, end)) break
    start = end + 1
  }
  return cells
}

/** One text for the chosen cells of a row. A missing cell is an empty one, so empty cells at the end don't count. */
function cellsKey(cells: readonly string[]): string {
  const filled = cells.findLastIndex((cell) => cell !== '') + 1
  return cells.slice(0, filled).map(writeCell).join(',')
}

function distinct(columns: readonly number[]): number[] {
  return [...new Set(columns)].sort((a, b) => a - b)
}
