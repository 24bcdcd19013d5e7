/**
 * Writes a JSON number with its exact decimal value in the layout of ECMAScript (ECMA-262, Number::toString): `120`,
 * `1.5`, `0.001`, and with an exponent where that would take many zeros. Takes linear time: arithmetic is only done on
 * the exponent, digit by digit.
 */
import { PLAIN_DIGITS } from './scan'

const ZERO: u8 = 0x30
const POINT: u8 = 0x2e
const MINUS: u8 = 0x2d
const EXPONENT: u8 = 0x65

/** The most zeros after the point before a fraction is written with an exponent. */
const PLAIN_ZEROS: i64 = 5
/** The most digits of an exponent that certainly fits in 64 bits, even after `shift` is added. */
const SHORT_DIGITS: usize = 17

/** Writes the canonical form of the well-formed number from `at` to `end`; returns its end. */
export function writeNumber(at: usize, end: usize, to: usize): usize {
  const isNegative = load<u8>(at) == MINUS
  if (isNegative) at++
  let mantissaEnd = at
  while (mantissaEnd < end && (load<u8>(mantissaEnd) | 0x20) != EXPONENT) mantissaEnd++
  let point = at
  while (point < mantissaEnd && load<u8>(point) != POINT) point++
  const first = firstDigit(at, mantissaEnd)
  if (first == mantissaEnd) {
    store<u8>(to, ZERO)
    return to + 1
  }
  let last = mantissaEnd
  while (load<u8>(last - 1) == ZERO || load<u8>(last - 1) == POINT) last--
  if (isNegative) store<u8>(to++, MINUS)
  // The value is 0.digits times ten to the power of `shift` plus the exponent; the point itself is not a digit.
  const shift: i64 = first < point ? point - first : <i64>point - <i64>first + 1
  return layOut(first, last, mantissaEnd, end, shift, to)
}

/** The first digit that is not zero. */
function firstDigit(at: usize, end: usize): usize {
  while (at < end && (load<u8>(at) == ZERO || load<u8>(at) == POINT)) at++
  return at
}

function layOut(first: usize, last: usize, mantissaEnd: usize, end: usize, shift: i64, to: usize): usize {
  const digits = exponentDigits(mantissaEnd, end)
  const isShort = end - digits <= SHORT_DIGITS
  const isNegative = mantissaEnd < end && load<u8>(mantissaEnd, 1) == MINUS
  if (isShort) {
    const exponent = wholeNumber(digits, end)
    const place = shift + (isNegative ? -exponent : exponent)
    if (place <= <i64>PLAIN_DIGITS && place >= -PLAIN_ZEROS) return writePlain(first, last, place, to)
    to = writeFraction(first, last, to)
    store<u8>(to++, EXPONENT)
    return writeWhole(place, to)
  }
  to = writeFraction(first, last, to)
  store<u8>(to++, EXPONENT)
  if (isNegative) store<u8>(to++, MINUS)
  return writeSum(digits, end, isNegative ? -shift : shift, to)
}

/** Where the exponent's digits begin, after its sign and leading zeros; `end` if there are none. */
function exponentDigits(mantissaEnd: usize, end: usize): usize {
  let at = mantissaEnd + 1
  if (at < end && (load<u8>(at) == MINUS || load<u8>(at) == 0x2b)) at++
  while (at < end && load<u8>(at) == ZERO) at++
  return min(at, end)
}

function wholeNumber(at: usize, end: usize): i64 {
  let number: i64 = 0
  for (; at < end; at++) number = number * 10 + (load<u8>(at) - ZERO)
  return number
}

/** Writes the digits from `first` to `last`, skipping the point. */
function writeDigits(first: usize, last: usize, to: usize): usize {
  for (let at = first; at < last; at++) {
    const byte = load<u8>(at)
    if (byte != POINT) store<u8>(to++, byte)
  }
  return to
}

function writeFraction(first: usize, last: usize, to: usize): usize {
  store<u8>(to, ZERO)
  store<u8>(to, POINT, 1)
  return writeDigits(first, last, to + 2)
}

/** Writes the number without an exponent: the point is `place` digits from the left, with zeros as needed. */
function writePlain(first: usize, last: usize, place: i64, to: usize): usize {
  if (place <= 0) {
    store<u8>(to, ZERO)
    store<u8>(to, POINT, 1)
    to += 2
    for (; place < 0; place++) store<u8>(to++, ZERO)
    return writeDigits(first, last, to)
  }
  for (let at = first; at < last; at++) {
    const byte = load<u8>(at)
    if (byte == POINT) continue
    if (place-- == 0) store<u8>(to++, POINT)
    store<u8>(to++, byte)
  }
  for (; place > 0; place--) store<u8>(to++, ZERO)
  return to
}

function writeWhole(number: i64, to: usize): usize {
  if (number < 0) {
    store<u8>(to++, MINUS)
    number = -number
  }
  let length: usize = 1
  for (let rest = number; rest >= 10; rest /= 10) length++
  for (let at = to + length; at > to; number /= 10) store<u8>(--at, ZERO + <u8>(number % 10))
  return to + length
}

/** Writes the sum of a long integer and a small one, which never changes the sign: no text is long enough for that. */
function writeSum(digits: usize, end: usize, small: i64, to: usize): usize {
  const length = end - digits
  let carry = small
  for (let i = length; i > 0; i--) {
    const sum = <i64>(load<u8>(digits + i - 1) - ZERO) + carry
    const digit = ((sum % 10) + 10) % 10
    carry = (sum - digit) / 10
    store<u8>(to + i, ZERO + <u8>digit)
  }
  store<u8>(to, ZERO + <u8>carry)
  const start = firstDigit(to, to + length + 1)
  const written = to + length + 1 - start
  memory.copy(to, start, written)
  return to + written
}
