/*
 * CSV as it is found in the wild (specification 2.2, rows): nothing is an error and nothing is lost.
 *
 *   row  = cell *( "," cell )          ends at CR LF, LF, CR or the end of the text
 *   cell = [ quoted ] bare             quoted: from a quote up to the quote that closes it
 *
 * A cell whose bare part is empty is a quoted cell, and its value is what stands between the quotes. In any
 * other cell quotes are text. Every function here goes forward only, from a place where a cell begins.
 */
const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a
const CR = 0x0d

/** Where the cell that begins at `start` ends: at a comma, at a row break or at the end of the text. */
export function cellEnd(text: string, start: number): number {
  let at = start
  if (text.charCodeAt(at) === QUOTE) {
    const closing = closingQuote(text, start)
    at = closing === undefined ? text.length : closing + 1
  }
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code <= COMMA && (code === COMMA || code === LF || code === CR)) break
    at += 1
  }
  return at
}

/** Does the cell that ends at `end` have a right neighbour in its row? It begins one further. */
export function hasNext(text: string, end: number): boolean {
  return text.charCodeAt(end) === COMMA
}

/** Where the row that ends at `end` leaves off and the next one begins: behind the break. */
export function behindBreak(text: string, end: number): number {
  return text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF ? end + 2 : end + 1
}

/** What the cell says that stands from `start` to `end`. */
export function cellValue(text: string, start: number, end: number): string {
  if (text.charCodeAt(start) !== QUOTE) return text.slice(start, end)
  const closing = closingQuote(text, start)
  if (closing === undefined) return undoubled(text.slice(start + 1, end))
  return closing + 1 === end ? undoubled(text.slice(start + 1, closing)) : text.slice(start, end)
}

/** A cell as it is written: quoted only where reading it back needs quotes. */
export function writeCell(value: string): string {
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

/**
 * The quote that closes the one at `opening`: the next one that is not doubled. Undefined when there is none.
 *
 * Not by `indexOf`: V8 takes that for a pure operation and hoists it in front of the question whether there is
 * a quote at all, so that every bare cell would pay for a search through the rest of the text.
 */
function closingQuote(text: string, opening: number): number | undefined {
  for (let at = opening + 1; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== QUOTE) continue
    if (text.charCodeAt(at + 1) !== QUOTE) return at
    at += 1
  }
  return undefined
}

function undoubled(quoted: string): string {
  return quoted.includes('"') ? quoted.replaceAll('""', '"') : quoted
}
