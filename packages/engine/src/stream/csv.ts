const QUOTE = 0x22
const COMMA = 0x2c
const NEWLINE = 0x0a
const RETURN = 0x0d

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The rules of a CSV cell on bytes, within one row (specification 2.2): a cell that begins with a quote is
 * quoted up to its closing quote; when text follows that, it was no quoted cell and is its text as it stands.
 */
interface Cell {
  /** Where the cell's text begins: its quotes included. */
  start: number
  /** The comma behind it, or the row's end. */
  end: number
  /** A proper quoted cell: what it holds stands from `start + 1` to `contentEnd`, quotes doubled. */
  quoted: boolean
  contentEnd: number
}

function readCell(bytes: Uint8Array, start: number, rowEnd: number, cell: Cell): void {
  cell.start = start
  let at = start
  let closing = -1
  if (start < rowEnd && bytes[start] === QUOTE) {
    closing = closingQuote(bytes, start + 1, rowEnd)
    at = Math.min(closing + 1, rowEnd)
  }
  const behind = at
  while (at < rowEnd && bytes[at] !== COMMA) at++
  cell.end = at
  cell.quoted = closing >= 0 && behind === at
  cell.contentEnd = closing
}

/** Where the quoted cell whose content begins at `at` ends; the row's end when its quote is never closed. */
function closingQuote(bytes: Uint8Array, at: number, rowEnd: number): number {
  for (let i = at; i < rowEnd; i++) {
    if (bytes[i] !== QUOTE) continue
    if (i + 1 < rowEnd && bytes[i + 1] === QUOTE) i++
    else return i
  }
  return rowEnd
}

/**
 * Writes what a row is compared by to `to` and returns its end: its cells, each quoted only where it must be,
 * with commas between. Rows are equal exactly when these bytes are. `columns`, ascending, chooses cells; a missing
 * one is empty.
 */
export function writeRowKey(
  bytes: Uint8Array,
  row: { start: number; end: number },
  columns: readonly number[],
  to: number,
): number {
  const cell: Cell = { start: 0, end: 0, quoted: false, contentEnd: 0 }
  let out = to
  let column = 0
  let at = row.start
  let ended = false
  const next = (): void => {
    readCell(bytes, at, row.end, cell)
    ended = cell.end >= row.end
    at = cell.end + 1
    column++
  }
  if (columns.length === 0) {
    do {
      next()
      if (column > 1) bytes[out++] = COMMA
      out = writeCell(bytes, cell, out)
    } while (!ended)
    return out
  }
  for (const [index, wanted] of columns.entries()) {
    if (index > 0) bytes[out++] = COMMA
    while (!ended && column <= wanted) next()
    if (column === wanted + 1) out = writeCell(bytes, cell, out)
  }
  return out
}

/** What fuzzy comparison starts from: the chosen cells (all, when `columns` is empty) with a space between. */
export function fuzzyText(bytes: Uint8Array, row: { start: number; end: number }, columns: readonly number[]): string {
  const cell: Cell = { start: 0, end: 0, quoted: false, contentEnd: 0 }
  const cells: string[] = []
  let at = row.start
  for (let column = 0; at <= row.end; column++) {
    readCell(bytes, at, row.end, cell)
    if (columns.length === 0 || columns.includes(column)) cells.push(cellText(bytes, cell))
    at = cell.end + 1
  }
  return cells.join(' ')
}

function cellText(bytes: Uint8Array, cell: Cell): string {
  if (!cell.quoted) return decoder.decode(bytes.subarray(cell.start, cell.end))
  return decoder.decode(bytes.subarray(cell.start + 1, cell.contentEnd)).replaceAll('""', '"')
}

function writeCell(bytes: Uint8Array, cell: Cell, to: number): number {
  // What a proper quoted cell holds has its quotes doubled already.
  if (cell.quoted) return writeText(bytes, cell.start + 1, cell.contentEnd, { to, doubled: true })
  return writeText(bytes, cell.start, cell.end, { to, doubled: false })
}

function writeText(bytes: Uint8Array, start: number, end: number, how: { to: number; doubled: boolean }): number {
  const quoted = needsQuotes(bytes, start, end)
  let out = how.to
  if (quoted) bytes[out++] = QUOTE
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    bytes[out++] = byte
    if (byte === QUOTE && !how.doubled) bytes[out++] = QUOTE
  }
  if (quoted) bytes[out++] = QUOTE
  return out
}

function needsQuotes(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte === QUOTE || byte === COMMA || byte === NEWLINE || byte === RETURN) return true
  }
  return false
}
