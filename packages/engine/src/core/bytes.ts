/*
 * Bytes of the texts that are deduplicated.
 */

export const LINE_FEED = 0x0a
export const RETURN = 0x0d
export const COMMA = 0x2c
export const OPEN_BRACKET = 0x5b

/** The most bytes that JSON needs to escape a byte. */
export const ESCAPED_BYTES = 6

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** More input is needed. */
export const WAIT = -1

/** @returns the end of the byte-order mark at `from`; `from` if there is none; `WAIT` if there may be one */
export function byteOrderMarkEnd(bytes: Uint8Array, from: number, to: number, complete: boolean): number {
  const differing = BYTE_ORDER_MARK.findIndex((byte, i) => from + i >= to || bytes[from + i] !== byte)
  if (differing < 0) return from + BYTE_ORDER_MARK.length
  return from + differing === to && !complete ? WAIT : from
}

/** @returns where the white space of JSON at `from` ends */
export function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(bytes[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === RETURN || byte === 0x09
}

export const NOTHING: Uint8Array = new Uint8Array()

/** @returns a copy of both, one after the other */
export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
