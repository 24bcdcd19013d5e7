/**
 * A cell of a CSV text (RFC 4180), in quotes only where reading it back needs them: around separators, quotes and line
 * breaks, and around a byte-order mark in front, which would be taken for the text's own.
 */
export function writeCell(cell: string): string {
  return /[",\r\n]|^\uFEFF/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
