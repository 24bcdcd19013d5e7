type Cell = string | number | null

/**
 * Columns for people: headed, aligned (numbers to the right), two blanks apart, no line longer than its cells.
 * @param columns title and cell of each column
 */
export function table<Row>(rows: readonly Row[], columns: Readonly<Record<string, (row: Row) => Cell>>): string {
  const titles = Object.keys(columns)
  const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)))
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => text(line[column]).length)),
  )
  const lines = [titles, ...cells].map((line) =>
    line
      .map((cell, column) => align(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.join('\n')
}

function align(cell: Cell, width: number): string {
  return typeof cell === 'number' ? text(cell).padStart(width) : text(cell).padEnd(width)
}

function text(cell: Cell | undefined): string {
  return typeof cell === 'number' ? cell.toLocaleString('en-US') : (cell ?? '-')
}
