/**
 * Writes a cell of a CSV text (RFC 4180), quoted only where reading it back requires that: when it contains a
 * separator, a quote or a line break, or starts with a byte-order mark, which would be taken for that of the whole
 * text.
 */
export function writeCell(cell: string): string {
  return /[",\r\n]|^\uFEFF/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Writes a row of at least one cell. One empty cell is written with quotes, because a blank line at the end of a text is
 * not a row.
 */
export function writeRow(cells: readonly string[]): string {
  return cells.length === 1 && cells[0] === '' ? '""' : cells.map(writeCell).join(',')
}
