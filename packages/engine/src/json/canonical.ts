import { PLAIN_DIGITS } from './scan.ts'

/*
 * One spelling for each JSON value, so that values are equal exactly when these texts are: no white space
 * between tokens, no escape where none is needed, numbers by their exact decimal value.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39

/** Digits of an exponent up to which double arithmetic on it is exact. */
const EXACT_DIGITS = 15
/** Noughts that the canonical form of a fraction has at most behind its point before it turns to an exponent. */
const PLAIN_NOUGHTS = 5

/** The canonical text of a value that is known to be well formed and stands from `start` to `end`. Linear. */
export function canonicalJson(text: string, start: number, end: number): string {
  let canonical = ''
  let copied = start
  let at = start
  while (at < end) {
    const code = text.charCodeAt(at)
    let token = at + 1
    let spelling: string | undefined
    if (code === QUOTE) {
      const { close, escaped } = closingQuote(text, at)
      token = close + 1
      if (escaped) spelling = canonicalString(text.slice(at, token))
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      token = numberEnd(text, at)
      spelling = canonicalNumber(text.slice(at, token))
    } else if (code <= 0x20) spelling = ''
    if (spelling !== undefined) {
      canonical += text.slice(copied, at) + spelling
      copied = token
    }
    at = token
  }
  return canonical + text.slice(copied, end)
}

/**
 * A number by its exact decimal value, laid out as ECMAScript lays out its own (ECMA-262, Number::toString):
 * `120`, `1.5`, `0.001`, and with an exponent once that would take many noughts. Linear in its length, since
 * only the exponent is reckoned with, and that as text when it is long.
 */
export function canonicalNumber(number: string): string {
  if (/^-?[1-9][0-9]{0,14}$/.test(number)) return number
  const sign = number.startsWith('-') ? '-' : ''
  const [mantissa = '', exponent = '0'] = number.slice(sign.length).split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.split('.')
  const written = whole + fraction
  const first = written.search(/[1-9]/)
  if (first < 0) return '0'
  const digits = withoutNoughtsAtEnd(written.slice(first))
  // The value is 0.digits times ten to the power of `point`.
  const point = sum(exponent, whole.length - first)
  return sign + layOut(digits, point)
}

function layOut(digits: string, point: string): string {
  const place = point.length <= EXACT_DIGITS ? Number(point) : Number.POSITIVE_INFINITY
  if (place > PLAIN_DIGITS || place < -PLAIN_NOUGHTS) return `0.${digits}e${point}`
  if (place <= 0) return `0.${'0'.repeat(-place)}${digits}`
  if (digits.length <= place) return digits.padEnd(place, '0')
  return `${digits.slice(0, place)}.${digits.slice(place)}`
}

/** A whole number of any length, with or without a sign, plus a small one: in plain decimal digits. */
function sum(long: string, small: number): string {
  const negative = long.startsWith('-')
  const digits = long.replace(/^[-+]?0*(?=[0-9])/, '')
  if (digits.length <= EXACT_DIGITS) return String((negative ? -Number(digits) : Number(digits)) + small)
  // The sign can't change: a text is never so long that `small` would come near the long number.
  const unit = 10 ** EXACT_DIGITS
  const low = Number(digits.slice(-EXACT_DIGITS)) + (negative ? -small : small)
  const carry = Math.floor(low / unit)
  const high = stepped(digits.slice(0, -EXACT_DIGITS), carry)
  const magnitude = high + String(low - carry * unit).padStart(EXACT_DIGITS, '0')
  return (negative ? '-' : '') + magnitude.replace(/^0+/, '')
}

/** A positive whole number in decimal digits, one up, one down or as it is. */
function stepped(digits: string, step: number): string {
  if (step === 0) return digits
  // Only the digits at the end that carry over change, and the one before them.
  const carrying = step > 0 ? '9' : '0'
  let last = digits.length - 1
  while (digits[last] === carrying) last -= 1
  const rest = (step > 0 ? '0' : '9').repeat(digits.length - 1 - last)
  return digits.slice(0, Math.max(last, 0)) + String(Number(digits[last] ?? '0') + step) + rest
}

function withoutNoughtsAtEnd(digits: string): string {
  let end = digits.length
  while (digits.charCodeAt(end - 1) === ZERO) end -= 1
  return digits.slice(0, end)
}

/** A string by what it says: only quotes and backslashes are escaped. Two halves of a character that meet are one. */
function canonicalString(literal: string): string {
  const said = String(JSON.parse(literal))
  return `"${said.replace(/["\\]/g, '\\$&')}"`
}

function closingQuote(text: string, opening: number): { readonly close: number; readonly escaped: boolean } {
  let escaped = false
  let close = opening + 1
  for (let code = text.charCodeAt(close); code !== QUOTE; code = text.charCodeAt(close)) {
    if (code === BACKSLASH) escaped = true
    close += code === BACKSLASH ? 2 : 1
  }
  return { close, escaped }
}

/** Behind the number that begins at `start`: no other token of JSON goes on with one of these characters. */
function numberEnd(text: string, start: number): number {
  let end = start + 1
  while ('0123456789.eE+-'.includes(text.charAt(end) || ' ')) end += 1
  return end
}
