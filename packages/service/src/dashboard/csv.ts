import { writeCell } from '@keepfirst/protocol'

export type Cell = string | number | null

/**
 * Writes a CSV file (RFC 4180) of calls for spreadsheets. Text that a spreadsheet would take for a formula is prefixed
 * with an apostrophe, since users choose the names of keys.
 */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const looksLikeFormula = /^[=+\-@\t\r\n＝＋－＠]/u.test(cell.trimStart()) || /^[\t\r\n]/.test(cell)
  return writeCell(looksLikeFormula ? `'${cell}` : cell)
}
