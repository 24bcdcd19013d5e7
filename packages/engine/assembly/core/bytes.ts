import { isGiven } from './memory'

export const LINE_FEED: u8 = 0x0a
export const RETURN: u8 = 0x0d
export const SPACE: u8 = 0x20
export const QUOTE: u8 = 0x22
export const COMMA: u8 = 0x2c
export const BACKSLASH: u8 = 0x5c

/** White space of ASCII: space, tab, line feed, vertical tab, form feed, carriage return. */
@inline
export function isAsciiSpace(byte: u8): bool {
  return byte == SPACE || byte - 0x09 <= 0x0d - 0x09
}

/** Copies `length` bytes, and up to 15 more that must exist and may be overwritten; the ranges must not overlap. */
@inline
export function copyLoosely(to: usize, from: usize, length: usize): void {
  assert(length == 0 || (isGiven(to, length) && isGiven(from, length)))
  if (length > 256) memory.copy(to, from, length)
  else for (let done: usize = 0; done < length; done += 16) v128.store(to + done, v128.load(from + done))
}

/** The lowest `length` bytes of a word, for lengths from 1 to 8. */
@inline
export function lowBytes(length: usize): u64 {
  return ~(<u64>0) >> (64 - ((<u64>length) << 3))
}

/** Whether two byte ranges are equal. Reads up to 7 bytes more. */
@inline
export function sameBytes(a: usize, b: usize, length: usize): bool {
  for (; length >= 8; a += 8, b += 8, length -= 8) if (load<u64>(a) != load<u64>(b)) return false
  return length == 0 || ((load<u64>(a) ^ load<u64>(b)) & lowBytes(length)) == 0
}
