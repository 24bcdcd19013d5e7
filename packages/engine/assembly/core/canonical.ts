/**
 * A canonical form of JSON values, such that values are equal if and only if their canonical bytes are: no white space
 * between tokens, no escapes except of quotes, backslashes and lone surrogates, numbers by their exact decimal value.
 */
import { BACKSLASH, QUOTE } from './bytes'
import { writeNumber } from './numbers'
import { closingQuote, isSpace } from './scan'
import { decodeEscape, escapeBytes, writeHex } from './strings'

/**
 * Writes the canonical form of the well-formed value from `at` to `end`; returns its end. Takes linear time, and at
 * most six times the bytes: `1e20` becomes a one and twenty zeros.
 */
export function writeCanonical(at: usize, end: usize, to: usize): usize {
  while (at < end) {
    const byte = load<u8>(at)
    if (byte == QUOTE) {
      const close = closingQuote(at + 1)
      store<u8>(to++, QUOTE)
      to = writeCanonicalString(at + 1, close, to)
      store<u8>(to++, QUOTE)
      at = close + 1
    } else if (byte == 0x2d || byte - 48 < 10) {
      const start = at
      do at++
      while (at < end && isNumberByte(load<u8>(at)))
      to = writeNumber(start, at, to)
    } else {
      if (!isSpace(byte)) store<u8>(to++, byte)
      at++
    }
  }
  return to
}

/** Whether a number may continue with this character: a digit, `+`, `-`, `.`, `e` or `E`. */
@inline
function isNumberByte(byte: u8): bool {
  return byte - 48 < 10 || byte == 0x2e || (byte | 0x20) == 0x65 || byte == 0x2b || byte == 0x2d
}

@inline
export function hasEscape(at: usize, end: usize): bool {
  for (; at < end; at += 16) {
    const backslashes = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(BACKSLASH)))
    if (backslashes) return at + ctz(backslashes) < end
  }
  return false
}

/** Writes the canonical content of a well-formed string. Never longer than the original. */
function writeCanonicalString(at: usize, end: usize, to: usize): usize {
  while (at < end) {
    const block = v128.load(at)
    v128.store(to, block)
    const backslashes = i8x16.bitmask(i8x16.eq(block, i8x16.splat(BACKSLASH)))
    if (!backslashes) {
      at += 16
      to += 16
      continue
    }
    at += ctz(backslashes)
    to += ctz(backslashes)
    if (at >= end) break
    to = writeCanonicalEscape(at, to)
    at += escapeBytes
  }
  return to - (at - end)
}

function writeCanonicalEscape(at: usize, to: usize): usize {
  const end = decodeEscape(at, to)
  const byte = load<u8>(to)
  if (byte == QUOTE || byte == BACKSLASH) {
    store<u8>(to, BACKSLASH)
    store<u8>(to, byte, 1)
    return to + 2
  }
  if (byte == 0xed && load<u8>(to, 1) >= 0xa0) {
    const unit = 0xd000 | ((<u32>(load<u8>(to, 1) & 63)) << 6) | (load<u8>(to, 2) & 63)
    store<u8>(to, BACKSLASH)
    return writeHex(unit, to)
  }
  return end
}

/**
 * Whether this is the canonical form of the string between the quotes. Needs no room: each part is compared as it is
 * read.
 */
export function canonicalStringIs(at: usize, end: usize, name: usize, length: u32): bool {
  const nameEnd = name + length
  while (at < end) {
    let bytes: usize = 1
    store<u8>(part, load<u8>(at))
    if (load<u8>(at) == BACKSLASH) {
      bytes = writeCanonicalEscape(at, part) - part
      at += escapeBytes
    } else at++
    if (nameEnd - name < bytes) return false
    for (let i: usize = 0; i < bytes; i++) if (load<u8>(part + i) != load<u8>(name + i)) return false
    name += bytes
  }
  return name == nameEnd
}

/** Room for one character. */
const part: usize = memory.data(16)
