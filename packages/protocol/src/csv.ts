/**
 * Writes a cell of a CSV text (RFC 4180), quoted only where reading it back requires that: when it contains a
 * separator, a quote or a line break, or starts with a byte-order mark, which would be taken for that of the whole
 * text.
 */
export function writeCell(cell: string): string {
  return /[",\r\n]|^\uFEFF/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
