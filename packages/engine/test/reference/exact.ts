/*
 * The slow twins of the exact engine: written to be believed at sight, not to be fast.
 */

/** For each key the position of the first equal one; undefined keys are discarded (-1). Compares all pairs. */
export function firstEqual(keys: readonly (string | undefined)[]): number[] {
  return keys.map((key) => (key === undefined ? -1 : keys.indexOf(key)))
}

/** What is kept of a list by those verdicts. */
export function keptOf<Item>(list: readonly Item[], survivorOf: readonly number[]): Item[] {
  return list.filter((_, position) => survivorOf[position] === position)
}

/** A row as it came: its cells, its text and the break behind it. */
export interface Row {
  readonly cells: readonly string[]
  readonly text: string
  readonly lineBreak: string
}

/** CSV by one pattern a cell: a closed quoted cell, one that is never closed, or bare text behind whatever quotes. */
export function readRows(text: string, delimiter = ','): Row[] {
  const rows: Row[] = []
  const bare = `[^${delimiter}\\r\\n]*`
  const quoted = '"((?:[^"]|"")*)"'
  const cell = new RegExp(`${quoted}(?=[${delimiter}\\r\\n]|$)|"((?:[^"]|"")*)$|((?:"(?:[^"]|"")*")?${bare})`, 'y')
  const separator = new RegExp(`([${delimiter}])|\\r\\n|\\n|\\r`, 'y')
  let cells: string[] = []
  let rowStart = 0
  for (let at = 0; at < text.length || cells.length > 0; ) {
    cell.lastIndex = at
    const [source = '', closed, open, literal = ''] = cell.exec(text) ?? []
    cells.push((closed ?? open)?.replaceAll('""', '"') ?? literal)
    separator.lastIndex = at + source.length
    const [found = '', isDelimiter] = separator.exec(text) ?? []
    const end = at + source.length
    at = end + found.length
    if (isDelimiter) continue
    rows.push({ cells, text: text.slice(rowStart, end), lineBreak: found })
    cells = []
    rowStart = at
  }
  return rows
}

/** The cells of a CSV, without a byte-order mark in front. */
export function readCsv(csv: string): string[][] {
  return readRows(csv.replace(/^\ufeff/, '')).map(({ cells }) => [...cells])
}

/** Cells as CSV. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)
  return rows.map((row) => row.map(quoted).join(',')).join('\n')
}
