/**
 * JSON strings in both directions. A lone surrogate, which JSON can express as an escape but UTF-8 cannot, is encoded
 * like a character of three bytes (WTF-8, Sapin 2016) and becomes an escape again on output.
 */
import { BACKSLASH, LINE_FEED, QUOTE, RETURN } from './bytes'
import { isGiven } from './memory'
import { escapeEnd, escapeOf, hexDigit, specialsIn } from './scan'

/** `\u00`, the start of the escape of an ASCII character. */
const ASCII_ESCAPE: u32 = 0x3030755c

/** The end of the string last decoded, after its closing quote, and the number of line breaks in its value. */
export let stringEndAt: usize = 0
export let stringBreaks: u32 = 0

/**
 * Decodes the string whose text begins at `at` (after its quote) to `to`; returns the end of the result, or 0 with
 * `faultAt` set. Writes up to 15 bytes more.
 */
export function decodeString(at: usize, to: usize): usize {
  let afterReturn: usize = 0
  stringBreaks = 0
  while (true) {
    const block = v128.load(at)
    v128.store(to, block)
    const specials = specialsIn(block)
    // A predictable branch is faster here than computing the length to advance by.
    if (!specials) {
      at += 16
      to += 16
      continue
    }
    at += ctz(specials)
    to += ctz(specials)
    assert(isGiven(to, 0))
    if (load<u8>(at) == QUOTE) {
      stringEndAt = at + 1
      return to
    }
    // Escapes come in runs, for example in non-ASCII text.
    do {
      if (load<u32>(at) == ASCII_ESCAPE) {
        const point = hexByte(at + 4)
        if (<u32>(point - 0x20) < 0x60) {
          store<u8>(to++, <u8>point)
          at += 6
          continue
        }
      }
      const end = load<u8>(at) == BACKSLASH ? decodeEscape(at, to) : 0
      if (!end) {
        escapeEnd(at)
        return 0
      }
      // A line break in a string is always an escape.
      const byte = load<u8>(to)
      if (byte == RETURN) afterReturn = end
      if (byte == RETURN || (byte == LINE_FEED && afterReturn != to)) stringBreaks++
      to = end
      at += escapeBytes
    } while (load<u8>(at) == BACKSLASH)
  }
}

/** The length of the escape, or of the surrogate pair, last read by `decodeEscape`. */
export let escapeBytes: usize = 0

/**
 * Decodes the escape at `at`, including the second half of a surrogate pair. Returns the end of the result, or 0 if the
 * escape is malformed.
 */
export function decodeEscape(at: usize, to: usize): usize {
  const letter = load<u8>(at, 1)
  if (letter != 0x75) {
    const byte = escapeOf(letter)
    escapeBytes = 2
    store<u8>(to, byte)
    return byte ? to + 1 : 0
  }
  escapeBytes = 6
  const first = hexWord(at + 2)
  if (first < 0) return 0
  if (<u32>(first - 0xd800) < 0x400 && load<u8>(at, 6) == BACKSLASH && load<u8>(at, 7) == 0x75) {
    const second = hexWord(at + 8)
    if (<u32>(second - 0xdc00) < 0x400) {
      escapeBytes = 12
      return writePoint(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00), to)
    }
  }
  return writePoint(first, to)
}

/** Two hexadecimal digits; negative if malformed. */
@inline
function hexByte(at: usize): i32 {
  return (hexDigit(load<u8>(at)) << 4) | hexDigit(load<u8>(at, 1))
}

/** Four hexadecimal digits; negative if malformed. */
@inline
function hexWord(at: usize): i32 {
  return (hexByte(at) << 8) | hexByte(at + 2)
}

/** Encodes a code point, or a surrogate, in one to four bytes. */
export function writePoint(point: u32, to: usize): usize {
  if (point < 0x80) {
    store<u8>(to, <u8>point)
    return to + 1
  }
  if (point < 0x800) {
    store<u8>(to, <u8>(0xc0 | (point >> 6)))
    store<u8>(to, <u8>(0x80 | (point & 63)), 1)
    return to + 2
  }
  if (point < 0x10000) {
    store<u8>(to, <u8>(0xe0 | (point >> 12)))
    store<u8>(to, <u8>(0x80 | ((point >> 6) & 63)), 1)
    store<u8>(to, <u8>(0x80 | (point & 63)), 2)
    return to + 3
  }
  store<u8>(to, <u8>(0xf0 | (point >> 18)))
  store<u8>(to, <u8>(0x80 | ((point >> 12) & 63)), 1)
  store<u8>(to, <u8>(0x80 | ((point >> 6) & 63)), 2)
  store<u8>(to, <u8>(0x80 | (point & 63)), 3)
  return to + 4
}

/** Characters that `JSON.stringify` escapes, and the first byte of every surrogate, as bits. */
@inline
function toEscapeIn(block: v128): u32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(block, i8x16.splat(BACKSLASH)), i8x16.eq(block, i8x16.splat(QUOTE))),
      v128.or(i8x16.lt_u(block, i8x16.splat(0x20)), i8x16.eq(block, i8x16.splat(<i8>0xed))),
    ),
  )
}

/**
 * Writes text as the content of a JSON string, with the same escapes as `JSON.stringify`; returns the end. A byte takes
 * at most six, and up to 15 bytes beyond the returned end are written.
 */
export function encodeString(from: usize, end: usize, to: usize): usize {
  assert(from <= end && isGiven(from, end - from) && isGiven(to, end - from))
  while (from < end) {
    const block = v128.load(from)
    v128.store(to, block)
    const specials = toEscapeIn(block)
    if (!specials) {
      from += 16
      to += 16
      continue
    }
    from += ctz(specials)
    to += ctz(specials)
    if (from >= end) break
    to = encodeByte(from, end, to)
    from += encodedBytes
  }
  return to - (from - end)
}

let encodedBytes: usize = 0

function encodeByte(at: usize, end: usize, to: usize): usize {
  const byte = load<u8>(at)
  encodedBytes = 1
  if (byte == 0xed) return encodeSurrogate(at, end, to)
  store<u8>(to, BACKSLASH)
  const letter = letterOf(byte)
  if (letter) {
    store<u8>(to, letter, 1)
    return to + 2
  }
  return writeHex(byte, to)
}

/** The letter of a short escape; 0 if there is none. */
@inline
function letterOf(byte: u8): u8 {
  switch (byte) {
    case 0x08:
      return 0x62
    case 0x09:
      return 0x74
    case 0x0a:
      return 0x6e
    case 0x0c:
      return 0x66
    case 0x0d:
      return 0x72
    case 0x22:
    case 0x5c:
      return byte
    default:
      return 0
  }
}

/** U+D000 to U+D7FF start with the same byte as surrogates but are written unchanged. */
function encodeSurrogate(at: usize, end: usize, to: usize): usize {
  const second = load<u8>(at, 1)
  if (second < 0xa0 || at + 2 >= end) {
    store<u8>(to, 0xed)
    return to + 1
  }
  encodedBytes = 3
  store<u8>(to, BACKSLASH)
  return writeHex(0xd000 | ((<u32>(second & 63)) << 6) | (load<u8>(at, 2) & 63), to)
}

/** Writes `u` and four hexadecimal digits after the backslash at `to`. */
export function writeHex(unit: u32, to: usize): usize {
  store<u8>(to, 0x75, 1)
  for (let digit: usize = 0; digit < 4; digit++) {
    const value = (unit >> (12 - ((<u32>digit) << 2))) & 15
    store<u8>(to + 2 + digit, <u8>(value < 10 ? 48 + value : 87 + value))
  }
  return to + 6
}
