/*
 * A reference implementation of exact deduplication, written to be obviously correct rather than fast.
 */

/**
 * The position of the first equal key for each key, or -1 for undefined keys, which are discarded. Compares all pairs.
 */
export function firstEqual(keys: readonly (string | undefined)[]): number[] {
  return keys.map((key) => (key === undefined ? -1 : keys.indexOf(key)))
}

/** The items of a list that are their own survivors. */
export function keptOf<Item>(list: readonly Item[], survivorOf: readonly number[]): Item[] {
  return list.filter((_, position) => survivorOf[position] === position)
}

/** A row: its cells, its source text and the line break after it. */
export interface Row {
  readonly cells: readonly string[]
  readonly text: string
  readonly lineBreak: string
}

/**
 * Reads CSV by one pattern per cell: quoted and closed, quoted and never closed, or unquoted (which may start with
 * quotes).
 */
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

/** The cells of CSV text, without a leading byte-order mark. */
export function readCsv(csv: string): string[][] {
  return readRows(csv.replace(/^\ufeff/, '')).map(({ cells }) => [...cells])
}

/** Writes cells as CSV. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)
  return rows.map((row) => row.map(quoted).join(',')).join('\n')
}
