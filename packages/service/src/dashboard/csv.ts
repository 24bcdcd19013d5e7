import { writeCell } from '@keepfirst/protocol'

export type Cell = string | number | null

/**
 * One CSV file (RFC 4180) of calls for spreadsheets. A text that a spreadsheet would take for a formula
 * begins with an apostrophe: names of keys are typed by people.
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
