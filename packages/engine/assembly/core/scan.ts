/**
 * JSON by the grammar of RFC 8259 on bytes, without making values of it. Nothing recurses: a value may be nested as
 * deep as its text is long.
 *
 * A byte 0 must stand behind the text. It is not part of any JSON, so that every rule fails there by itself: a fault
 * at the end of the text says that the text ends too early.
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

/** Digits that a whole number has at most in the canonical form before it turns to an exponent. */
export const PLAIN_DIGITS: u32 = 21

/** Where no rule went on, after a function here returned 0. */
export let faultAt: usize = 0

/**
 * Turns false once something is read that is not its own canonical spelling: white space between tokens, an escape
 * that need not be one, a number that could be written in another way.
 */
export let isPlain: bool = true

/** Where the value stands that the path names inside the value that was read last; 0 when it does not resolve. */
export let foundStart: usize = 0
export let foundEnd: usize = 0
export let foundIsPlain: bool = false

/** A bit for each container that is open, 64 a word: room for as many as the text has bytes. */
let stack: usize = 0

/** `path`: segments, as `Segment` has them, and their number; 0 for none. */
let path: usize = 0
let pathLength: u32 = 0

/** A part of a dot path. */
@unmanaged
class Segment {
  /** Its name as a canonical JSON string without the quotes. */
  start: u32
  length: u32
  /** The array element that it names, or NO_ELEMENT. */
  element: u32
  /** While an array on the way is read: its next element. */
  next: u32
}

const NO_ELEMENT: u32 = 0xffffffff

export function openScanner(stack_: usize, path_: usize, pathLength_: u32): void {
  stack = stack_
  path = path_
  pathLength = pathLength_
}

@inline
function fail(at: usize): usize {
  faultAt = at
  return 0
}

/** For rules that stand elsewhere. */
export function failAt(at: usize): usize {
  return fail(at)
}

/** @returns where the white space ends that begins at `at`, or `at` */
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
 * Sets `isPlain` of this value, and where the path leads in it. The last one of a repeated member counts.
 * @returns where the value ends that begins at `at`, or 0 with `faultAt` set
 */
export function readValue(at: usize): usize {
  isPlain = true
  foundStart = 0
  return pathLength ? readAlongPath(at) : readPlainly(at)
}

/** What a container is closed by stands two behind what opens it, in ASCII. */
@inline
function closerOf(opener: u8): u8 {
  return opener + 2
}

/*
 * Both functions below walk through the same states; the first one knows no path and is what whole items, and values
 * beside the path, are read by.
 */
function readPlainly(at: usize): usize {
  let depth: u32 = 0
  // Bit 0 tells of the innermost container whether it is an object; words of 64 are put away on the stack.
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
          at = nameEnd(at)
          if (!at) return 0
        }
        continue
      }
    } else {
      at = scalarEnd(at, first)
      if (!at) return 0
    }
    // A value has ended: so do the containers that are closed here, up to the next comma.
    while (true) {
      if (depth == 0) return at
      at = skipSpace(at)
      const byte = load<u8>(at)
      if (byte == COMMA) {
        at = skipSpace(at + 1)
        if (kinds & 1) {
          at = nameEnd(at)
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
 * The path leads from container to container. `matched` of them are open, all on the path; each member of the innermost
 * one is asked whether it is the next segment's, and every other value is read over.
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

/** Is the member that was entered last the one that the path names? */
let isNamed: bool = false

/** From where a member of the container begins to its value, or 0. */
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
    return valueBehind(special + 1)
  }
  const end = stringEndWithEscapes(special)
  if (!end) return 0
  isNamed = canonicalStringIs(at + 1, end - 1, segment.start, segment.length)
  return valueBehind(end)
}

/** Does the string whose quote stands at `at` say this? `name` is canonical, without quotes. */
export function saysName(at: usize, name: usize, length: u32): bool {
  const start = at + 1
  const end = closingQuote(start)
  if (!hasEscape(start, end)) return end - start == length && sameBytes(start, name, length)
  return canonicalStringIs(start, end, name, length)
}

/** From a member's name over its colon to where its value begins, or 0. */
@inline
export function nameEnd(at: usize): usize {
  if (load<u8>(at) != QUOTE) return fail(at)
  at = stringEnd(at)
  return at ? valueBehind(at) : 0
}

/** From behind a member's name over its colon to where its value begins, or 0. */
@inline
function valueBehind(at: usize): usize {
  at = skipSpace(at)
  return load<u8>(at) == COLON ? skipSpace(at + 1) : fail(at)
}

@inline
function scalarEnd(at: usize, first: u8): usize {
  if (first == QUOTE) return stringEnd(at)
  if (first == MINUS || isDigit(first)) return numberEnd(at)
  return wordEnd(at, first)
}

/** Quotes, backslashes and what may not stand in a string, as bits. */
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
export function nextSpecial(at: usize): usize {
  while (true) {
    const specials = specialsIn(v128.load(at))
    if (specials) return at + ctz(specials)
    at += 16
  }
}

/** @returns where the string ends whose quote stands at `at`, or 0 */
@inline
export function stringEnd(at: usize): usize {
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

/** @returns where the escape ends whose backslash stands at `at`, or 0 */
export function escapeEnd(at: usize): usize {
  const byte = load<u8>(at, 1)
  if (byte == 0x75) {
    for (let digit = at + 2; digit < at + 6; digit++) if (hexDigit(load<u8>(digit)) < 0) return fail(digit)
    return at + 6
  }
  return escapeOf(byte) ? at + 2 : fail(at + 1)
}

/** What a backslash and this letter stand for; 0 when they stand for nothing. */
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
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1,
  -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
])

/** The quote that closes the well-formed string whose text begins at `at`. */
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

/** @returns where the number ends that begins at `at`, or 0 */
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
 * Is a number without exponent certainly in its canonical form? Its digits begin at `first`, their whole part ends at
 * `wholeEnd`. Answering no is never wrong, it only costs time.
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

/** @returns where `true`, `false` or `null` ends, or 0 */
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
