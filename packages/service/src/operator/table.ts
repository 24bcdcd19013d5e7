import { grouped } from '@keepfirst/protocol'

type Cell = string | number | null

/** A list in pages, each read on demand. */
type Pages<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

/** Prints a list as one JSON array, page by page, since it may be larger than memory. */
export async function printJson<Row>(
  print: (text: string) => void,
  pages: Pages<Row>,
  asJson: (row: Row) => object,
): Promise<void> {
  let opening = '['
  for await (const page of pages) {
    print(opening + page.map((row) => JSON.stringify(asJson(row))).join(',\n'))
    opening = ','
  }
  print(opening === '[' ? '[]' : ']')
}

/**
 * Prints a list for people, page by page: columns with titles, aligned (numbers to the right), separated by two spaces,
 * without trailing spaces. A column is as wide as its content printed so far requires.
 * @param columns title and cell of each column
 */
export async function printTable<Row>(
  print: (text: string) => void,
  pages: Pages<Row>,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): Promise<void> {
  const titles = Object.keys(columns)
  let widths = titles.map((title) => title.length)
  let header: readonly Cell[][] = [titles]
  const printLines = (lines: readonly (readonly Cell[])[]): void => {
    widths = widths.map((width, column) =>
      lines.reduce((widest, line) => Math.max(widest, text(line[column]).length), width),
    )
    const aligned = lines.map((line) => line.map((cell, column) => align(cell, widths[column] ?? 0)).join('  '))
    print(aligned.map((line) => line.trimEnd()).join('\n'))
    header = []
  }
  for await (const page of pages) {
    printLines([...header, ...page.map((row) => Object.values(columns).map((cell) => cell(row)))])
  }
  if (header.length > 0) printLines(header)
}

function align(cell: Cell, width: number): string {
  return typeof cell === 'number' ? text(cell).padStart(width) : text(cell).padEnd(width)
}

function text(cell: Cell | undefined): string {
  return typeof cell === 'number' ? grouped(cell) : (cell ?? '-')
}
