/*
 * Where JSON values begin and end in bytes, told by quotes and brackets alone: enough to cut a stream into
 * values, each of which is then read by the grammar.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const NEWLINE = 0x0a

/** The bytes end before the value does. */
export const INCOMPLETE = -1
/** No value ends anywhere behind: a control character stands in a string. */
export const MALFORMED = -2

export function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(bytes[at])) at++
  return at
}

export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}

/** Behind the value that begins at `from`, or `INCOMPLETE`, or `MALFORMED`. */
export function valueEnd(bytes: Uint8Array, from: number, to: number, complete: boolean): number {
  const first = bytes[from]
  if (first === QUOTE) return stringEnd(bytes, from, to)
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return scalarEnd(bytes, from, to, complete)
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at, to)
      if (end < 0) return end
      at = end - 1
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return INCOMPLETE
}

function stringEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
    else if (byte < 0x20) return MALFORMED
  }
  return INCOMPLETE
}

function scalarEnd(bytes: Uint8Array, from: number, to: number, complete: boolean): number {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (isSpace(byte) || byte === COMMA || byte === CLOSE_BRACKET || byte === CLOSE_BRACE) return at
  }
  return complete ? to : INCOMPLETE
}

/**
 * Is the array that begins at `from` the first of several values, one a line? It is when it ends on its first
 * line and another value follows. Undefined when the bytes don't tell yet.
 */
export function isFirstOfLines(bytes: Uint8Array, from: number, to: number, complete: boolean): boolean | undefined {
  const end = valueEnd(bytes, from, to, complete)
  if (end === MALFORMED) return false
  const lineEnd = bytes.subarray(from, end < 0 ? to : end).indexOf(NEWLINE)
  if (lineEnd >= 0) return false
  if (end === INCOMPLETE) return complete ? false : undefined
  const next = skipSpace(bytes, end, to)
  if (next < to) return bytes.subarray(end, next).includes(NEWLINE)
  return complete ? false : undefined
}
