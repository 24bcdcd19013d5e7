/*
 * Reading JSON by the grammar of RFC 8259 without making values of it: positions in, positions out. Nothing
 * recurses, so a value may be nested as deep as its text is long. A position of -1 says: this is no JSON.
 */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const PLUS = 0x2b
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const SMALL_E = 0x65
const SMALL_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const MALFORMED = -1

/** Digits that the canonical form of a whole number has at most before it turns to an exponent. */
export const PLAIN_DIGITS = 21

export class JsonScanner {
  readonly text: string
  /**
   * Turns false once something is read that is not its own canonical spelling: white space between tokens, an
   * escape in a string, a number that could be written in another way. Reset it to learn about the next value.
   */
  plain = true
  /** What each container that is open at the moment is closed by; grows with the nesting. */
  #closers = new Uint8Array(64)

  constructor(text: string) {
    this.text = text
  }

  /** Behind the white space that begins at `at`, if any does. */
  space(at: number): number {
    let end = at
    for (;;) {
      const code = this.text.charCodeAt(end)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
      end += 1
    }
    if (end !== at) this.plain = false
    return end
  }

  /** Behind the value that begins at `start`, or -1. */
  valueEnd(start: number): number {
    let at = start
    let depth = 0
    for (;;) {
      // A value begins at `at`.
      const closer = closerOf(this.text.charCodeAt(at))
      if (closer === 0) at = this.#scalarEnd(at)
      else {
        at = this.space(at + 1)
        if (this.text.charCodeAt(at) === closer) at += 1
        else {
          this.#open(depth, closer)
          depth += 1
          if (closer === CLOSE_BRACE) at = this.nameEnd(at)
          if (at < 0) return MALFORMED
          continue
        }
      }
      if (at < 0) return MALFORMED
      // A value has ended at `at`: so do the containers that are closed here, up to the next comma.
      for (;;) {
        if (depth === 0) return at
        at = this.space(at)
        const code = this.text.charCodeAt(at)
        const innermost = this.#closers[depth - 1]
        at += 1
        if (code === COMMA) {
          at = this.space(at)
          if (innermost === CLOSE_BRACE) at = this.nameEnd(at)
          if (at < 0) return MALFORMED
          break
        }
        if (code !== innermost) return MALFORMED
        depth -= 1
      }
    }
  }

  /** From a member's name over its colon to where its value begins, or -1. */
  nameEnd(start: number): number {
    if (this.text.charCodeAt(start) !== QUOTE) return MALFORMED
    const end = this.stringEnd(start)
    if (end < 0) return MALFORMED
    const colon = this.space(end)
    return this.text.charCodeAt(colon) === COLON ? this.space(colon + 1) : MALFORMED
  }

  /** Behind the string whose opening quote stands at `start`, or -1. */
  stringEnd(start: number): number {
    const { text } = this
    let at = start + 1
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at + 1
      if (code === BACKSLASH) {
        this.plain = false
        at = escapeEnd(text, at)
        if (at < 0) return MALFORMED
      } else if (code >= 0x20) at += 1
      else return MALFORMED // a control character, or the end of the text
    }
  }

  #scalarEnd(start: number): number {
    const code = this.text.charCodeAt(start)
    if (code === QUOTE) return this.stringEnd(start)
    if (code === MINUS || isDigit(code)) return this.#numberEnd(start)
    for (const word of ['true', 'false', 'null']) {
      if (this.text.startsWith(word, start)) return start + word.length
    }
    return MALFORMED
  }

  #numberEnd(start: number): number {
    const { text } = this
    const first = text.charCodeAt(start) === MINUS ? start + 1 : start
    const wholeEnd = text.charCodeAt(first) === ZERO ? first + 1 : digitsEnd(text, first)
    if (wholeEnd === first) return MALFORMED
    let end = wholeEnd
    if (text.charCodeAt(end) === POINT) {
      end = digitsEnd(text, wholeEnd + 1)
      if (end === wholeEnd + 1) return MALFORMED
    }
    const mantissaEnd = end
    if ((text.charCodeAt(end) | 0x20) === SMALL_E) {
      const sign = text.charCodeAt(end + 1)
      const exponent = sign === PLUS || sign === MINUS ? end + 2 : end + 1
      end = digitsEnd(text, exponent)
      if (end === exponent) return MALFORMED
    }
    if (end !== mantissaEnd || !isPlain(text, first, wholeEnd, end)) this.plain = false
    return end
  }

  #open(depth: number, closer: number): void {
    if (depth === this.#closers.length) {
      const grown = new Uint8Array(depth * 2)
      grown.set(this.#closers)
      this.#closers = grown
    }
    this.#closers[depth] = closer
  }
}

/** What closes the container that this character opens; 0 when it opens none. */
export function closerOf(code: number): number {
  if (code === OPEN_BRACE) return CLOSE_BRACE
  return code === OPEN_BRACKET ? CLOSE_BRACKET : 0
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
}

function digitsEnd(text: string, start: number): number {
  let at = start
  while (isDigit(text.charCodeAt(at))) at += 1
  return at
}

/** Behind the escape whose backslash stands at `start`, or -1. */
function escapeEnd(text: string, start: number): number {
  const code = text.charCodeAt(start + 1)
  if (code === SMALL_U) {
    for (let at = start + 2; at < start + 6; at += 1) if (!isHexDigit(text.charCodeAt(at))) return MALFORMED
    return start + 6
  }
  return '"\\/bfnrt'.includes(text.charAt(start + 1) || ' ') ? start + 2 : MALFORMED
}

function isHexDigit(code: number): boolean {
  const lower = code | 0x20
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66)
}

/**
 * Is a number without exponent certainly in its canonical form? Its digits begin at `first`, their whole part
 * ends at `wholeEnd`. Answering no is never wrong, it only costs time.
 */
function isPlain(text: string, first: number, wholeEnd: number, end: number): boolean {
  if (wholeEnd - first > PLAIN_DIGITS) return false
  const startsWithZero = text.charCodeAt(first) === ZERO
  if (end === wholeEnd) return !startsWithZero || text.charCodeAt(first - 1) !== MINUS
  if (text.charCodeAt(end - 1) === ZERO) return false
  return !startsWithZero || text.charCodeAt(wholeEnd + 1) !== ZERO
}
