/**
 * Recognises JSON (RFC 8259) in bytes without creating values. Nothing recurses, so nesting is limited only by the
 * length of the text.
 *
 * The text must be followed by a zero byte, which is not valid anywhere in JSON, so every rule stops there: an error at
 * the end of the text means that it ends too early.
 */
import { BACKSLASH, COMMA, QUOTE, sameBytes } from './bytes'
import { canonicalStringIs, hasEscape } from './canonical'

const COLON: u8 = 0x3a
const MINUS: u8 = 0x2d
const PLUS: u8 = 0x2b
const POINT: u8 = 0x2e
const ZERO: u8 = 0x30
export const OPEN_BRACE: u8 = 0x7b
export const CLOSE_BRACE: u8 = 0x7d
export const OPEN_BRACKET: u8 = 0x5b
export const CLOSE_BRACKET: u8 = 0x5d

/** The most digits of an integer in canonical form before it is written with an exponent. */
export const PLAIN_DIGITS: u32 = 21

/** Where the error is, after a function here returned 0. */
export let faultAt: usize = 0

/**
 * Becomes false when something is read that is not in canonical form: white space between tokens, an unnecessary
 * escape, a number that could be written differently.
 */
export let isPlain: bool = true

/** The value that the path leads to within the value last read; 0 if there is none. */
export let foundStart: usize = 0
export let foundEnd: usize = 0
export let foundIsPlain: bool = false

/** A bit for each open container, 64 to a word: room for as many as the text has bytes. */
let stack: usize = 0

/** The segments of the path (see `Segment`) and their number; 0 if there is no path. */
let path: usize = 0
let pathLength: u32 = 0

/** A part of a dot path. */
@unmanaged
class Segment {
  /** Its name as a canonical JSON string without quotes. */
  start: u32
  length: u32
  /** The array index that it denotes, or NO_ELEMENT. */
  element: u32
  /** The next index while an array on the path is being read. */
  next: u32
}

const NO_ELEMENT: u32 = 0xffffffff

export function openScanner(stack_: usize, path_: usize, pathLength_: u32): void {
  stack = stack_
  path = path_
  pathLength = pathLength_
}

@inline
export function fail(at: usize): usize {
  faultAt = at
  return 0
}

/** @returns the end of the white space at `at`; `at` if there is none */
@inline
export function skipSpace(at: usize): usize {
  return load<u8>(at) > 0x20 ? at : skipSpaces(at)
}

function skipSpaces(at: usize): usize {
  const start = at
  while (isSpace(load<u8>(at))) at++
  if (at != start) isPlain = false
  return at
}

@inline
export function isSpace(byte: u8): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
}

/**
 * Sets `isPlain` for this value, and finds the value at the path. If a member is repeated, the last one counts.
 * @returns the end of the value at `at`, or 0 with `faultAt` set
 */
export function readValue(at: usize): usize {
  isPlain = true
  foundStart = 0
  return pathLength ? readAlongPath(at) : readPlainly(at)
}

/** In ASCII, a container's closing character is the opening one plus 2. */
@inline
function closerOf(opener: u8): u8 {
  return opener + 2
}

/*
 * Both functions below go through the same states; the first one has no path and is used for whole items and for values
 * off the path.
 */
function readPlainly(at: usize): usize {
  let depth: u32 = 0
  // Bit 0 tells whether the innermost container is an object; full words of 64 bits are pushed onto the stack.
  let kinds: u64 = 0
  while (true) {
    const first = load<u8>(at)
    if (first == OPEN_BRACE || first == OPEN_BRACKET) {
      at = skipSpace(at + 1)
      if (load<u8>(at) == closerOf(first)) at++
      else {
        if ((depth & 63) == 0) store<u64>(stack + <usize>(depth >> 3), kinds)
        depth++
        kinds = (kinds << 1) | u64(first == OPEN_BRACE)
        if (first == OPEN_BRACE) {
          at = memberValue(at)
          if (!at) return 0
        }
        continue
      }
    } else {
      at = scalarEnd(at, first)
      if (!at) return 0
    }
    // A value has ended; so have containers that are closed here, up to the next comma.
    while (true) {
      if (depth == 0) return at
      at = skipSpace(at)
      const byte = load<u8>(at)
      if (byte == COMMA) {
        at = skipSpace(at + 1)
        if (kinds & 1) {
          at = memberValue(at)
          if (!at) return 0
        }
        break
      }
      if (byte != (kinds & 1 ? CLOSE_BRACE : CLOSE_BRACKET)) return fail(at)
      at++
      depth--
      kinds = depth & 63 ? kinds >> 1 : load<u64>(stack + <usize>(depth >> 3))
    }
  }
}

/**
 * Follows the path from container to container. `matched` of its segments are open; each member of the innermost
 * container is compared with the next segment, and every other value is skipped.
 */
function readAlongPath(at: usize): usize {
  let matched: u32 = 0
  isNamed = true
  while (true) {
    const first = load<u8>(at)
    if (isNamed) foundStart = 0
    if (isNamed && matched < pathLength && (first == OPEN_BRACE || first == OPEN_BRACKET)) {
      at = skipSpace(at + 1)
      if (load<u8>(at) == closerOf(first)) at++
      else {
        const segment = segmentAt(matched++)
        segment.next = first == OPEN_BRACE ? NO_ELEMENT : 0
        at = enterMember(segment, at)
        if (!at) return 0
        continue
      }
    } else {
      const start = at
      isPlain = true
      at = readPlainly(at)
      if (!at) return 0
      if (isNamed && matched == pathLength) {
        foundStart = start
        foundEnd = at
        foundIsPlain = isPlain
      }
    }
    while (true) {
      if (matched == 0) return at
      const segment = segmentAt(matched - 1)
      at = skipSpace(at)
      const byte = load<u8>(at)
      if (byte == COMMA) {
        at = enterMember(segment, skipSpace(at + 1))
        if (!at) return 0
        break
      }
      if (byte != (segment.next == NO_ELEMENT ? CLOSE_BRACE : CLOSE_BRACKET)) return fail(at)
      at++
      matched--
    }
  }
}

@inline
function segmentAt(index: u32): Segment {
  return changetype<Segment>(path + <usize>index * offsetof<Segment>())
}

/** Whether the member last entered is the one that the path names. */
let isNamed: bool = false

/** @returns the start of the value of the member at `at`, or 0 */
function enterMember(segment: Segment, at: usize): usize {
  if (segment.next != NO_ELEMENT) {
    isNamed = segment.element == segment.next++
    return at
  }
  if (load<u8>(at) != QUOTE) return fail(at)
  const special = nextSpecial(at + 1)
  if (load<u8>(special) == QUOTE) {
    const length = special - at - 1
    isNamed = length == segment.length && sameBytes(at + 1, segment.start, length)
    return valueAfterName(special + 1)
  }
  const end = stringEndWithEscapes(special)
  if (!end) return 0
  isNamed = canonicalStringIs(at + 1, end - 1, segment.start, segment.length)
  return valueAfterName(end)
}

/** Whether the string with its quote at `at` equals `name`, which is canonical and without quotes. */
export function nameEquals(at: usize, name: usize, length: u32): bool {
  const start = at + 1
  const end = closingQuote(start)
  if (!hasEscape(start, end)) return end - start == length && sameBytes(start, name, length)
  return canonicalStringIs(start, end, name, length)
}

/** @returns the start of the value whose member's name begins at `at`, or 0 */
@inline
export function memberValue(at: usize): usize {
  if (load<u8>(at) != QUOTE) return fail(at)
  at = stringEnd(at)
  return at ? valueAfterName(at) : 0
}

/** @returns the start of the value whose member's name ends at `at`, or 0 */
@inline
function valueAfterName(at: usize): usize {
  at = skipSpace(at)
  return load<u8>(at) == COLON ? skipSpace(at + 1) : fail(at)
}

@inline
function scalarEnd(at: usize, first: u8): usize {
  if (first == QUOTE) return stringEnd(at)
  if (first == MINUS || isDigit(first)) return numberEnd(at)
  return wordEnd(at, first)
}

/** Quotes, backslashes and characters not allowed in a string, as bits. */
@inline
export function specialsIn(block: v128): u32 {
  return i8x16.bitmask(
    v128.or(
      v128.or(i8x16.eq(block, i8x16.splat(BACKSLASH)), i8x16.eq(block, i8x16.splat(QUOTE))),
      i8x16.lt_u(block, i8x16.splat(0x20)),
    ),
  )
}

/** The next quote, backslash or control character. */
@inline
function nextSpecial(at: usize): usize {
  while (true) {
    const specials = specialsIn(v128.load(at))
    if (specials) return at + ctz(specials)
    at += 16
  }
}

/** @returns the end of the string with its quote at `at`, or 0 */
@inline
function stringEnd(at: usize): usize {
  const end = nextSpecial(at + 1)
  return load<u8>(end) == QUOTE ? end + 1 : stringEndWithEscapes(end)
}

function stringEndWithEscapes(at: usize): usize {
  while (true) {
    at = nextSpecial(at)
    const byte = load<u8>(at)
    if (byte == QUOTE) return at + 1
    if (byte != BACKSLASH) return fail(at)
    const escaped = load<u8>(at, 1)
    if (escaped != QUOTE && escaped != BACKSLASH) isPlain = false
    const end = escapeEnd(at)
    if (!end) return 0
    at = end
  }
}

/** @returns the end of the escape with its backslash at `at`, or 0 */
export function escapeEnd(at: usize): usize {
  const byte = load<u8>(at, 1)
  if (byte == 0x75) {
    for (let digit = at + 2; digit < at + 6; digit++) if (hexDigit(load<u8>(digit)) < 0) return fail(digit)
    return at + 6
  }
  return escapeOf(byte) ? at + 2 : fail(at + 1)
}

/** The character that a backslash and this letter stand for; 0 if none. */
@inline
export function escapeOf(letter: u8): u8 {
  switch (letter) {
    case 0x22:
    case 0x2f:
    case 0x5c:
      return letter
    case 0x62:
      return 0x08
    case 0x66:
      return 0x0c
    case 0x6e:
      return 0x0a
    case 0x72:
      return 0x0d
    case 0x74:
      return 0x09
    default:
      return 0
  }
}

/** The value of a hexadecimal digit; -1 for any other byte. */
@inline
export function hexDigit(byte: u8): i32 {
  return load<i8>(HEX_DIGITS + byte)
}

const HEX_DIGITS: usize = memory.data<i8>([
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1,
  -1, -1, -1, -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
])

/** The closing quote of the well-formed string whose text begins at `at`. */
export function closingQuote(at: usize): usize {
  while (true) {
    at = nextSpecial(at)
    if (load<u8>(at) == QUOTE) return at
    at += load<u8>(at) == BACKSLASH ? 2 : 1
  }
}

@inline
function isDigit(byte: u8): bool {
  return byte - ZERO < 10
}

@inline
function digitsEnd(at: usize): usize {
  while (true) {
    const digits = i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.load(at), i8x16.splat(ZERO)), i8x16.splat(10)))
    if (digits != 0xffff) return at + ctz(~digits)
    at += 16
  }
}

/** @returns the end of the number at `at`, or 0 */
function numberEnd(at: usize): usize {
  const first = load<u8>(at) == MINUS ? at + 1 : at
  const wholeEnd = load<u8>(first) == ZERO ? first + 1 : digitsEnd(first)
  if (wholeEnd == first) return fail(first)
  let end = wholeEnd
  if (load<u8>(end) == POINT) {
    end = digitsEnd(wholeEnd + 1)
    if (end == wholeEnd + 1) return fail(end)
  }
  const mantissaEnd = end
  if ((load<u8>(end) | 0x20) == 0x65) {
    const sign = load<u8>(end, 1)
    const exponent = sign == PLUS || sign == MINUS ? end + 2 : end + 1
    end = digitsEnd(exponent)
    if (end == exponent) return fail(end)
  }
  if (end != mantissaEnd || !isPlainNumber(first, wholeEnd, end)) isPlain = false
  return end
}

/**
 * Whether a number without exponent is certainly in canonical form. Its digits begin at `first`, its integer part ends
 * at `wholeEnd`. Returning false is never wrong, only slower.
 */
@inline
function isPlainNumber(first: usize, wholeEnd: usize, end: usize): bool {
  if (wholeEnd - first > PLAIN_DIGITS) return false
  const startsWithZero = load<u8>(first) == ZERO
  if (end == wholeEnd) return !startsWithZero || load<u8>(first - 1) != MINUS
  if (load<u8>(end - 1) == ZERO) return false
  return !startsWithZero || load<u8>(wholeEnd, 1) != ZERO
}

const TRUE: u32 = 0x65757274
const ALSE: u32 = 0x65736c61
const NULL: u32 = 0x6c6c756e

/** @returns the end of `true`, `false` or `null` at `at`, or 0 */
function wordEnd(at: usize, first: u8): usize {
  switch (first) {
    case 0x74:
      return load<u32>(at) == TRUE ? at + 4 : wordFault(at, TRUE)
    case 0x66:
      return load<u32>(at + 1) == ALSE ? at + 5 : wordFault(at + 1, ALSE)
    case 0x6e:
      return load<u32>(at) == NULL ? at + 4 : wordFault(at, NULL)
    default:
      return fail(at)
  }
}

function wordFault(at: usize, word: u32): usize {
  return fail(at + (ctz(load<u32>(at) ^ word) >> 3))
}
