import { type Path, parsePath } from '../json/path.ts'
import { INCOMPLETE, isFirstOfLines, isSpace, MALFORMED, skipSpace, valueEnd } from './json-bytes.ts'
import { readJsonKey } from './json-key.ts'
import { byteOrderMarkEnd, type Mode, NEWLINE, WAIT } from './sifter.ts'
import { ITEM, setItem, type Workspace } from './workspace.ts'

export interface JsonStreamOptions {
  /** Dot path to what is compared inside each item; empty compares the whole item. */
  key: string
  /** One value a line for certain, even when the first one is an array. */
  isLines: boolean
}

/** The input is no JSON from a certain place on. Lines and columns count from 1, columns in bytes. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const LINE_FEED = 0x0a
const SEPARATOR = Uint8Array.of(COMMA)
const NOTHING = new Uint8Array()

/** An array that begins with a longer line is taken for the whole input. */
const LOOK_AHEAD_BYTES = 65_536
/**
 * A key's bytes to its value's, at most: a byte that is no UTF-8 takes six, `1e20` becomes a one and twenty
 * noughts. Besides, the sign of a value with such bytes.
 */
export const JSON_KEY_GROWTH = 6
export const JSON_KEY_SLACK_BYTES = 64

const NO_JSON = 'the value that begins here is no JSON'
const FORMS = { array: 'an array', lines: 'one value a line' } as const

/** Place of an item: what stands before its value, the value, and what parts it from the next. */
interface Item {
  from: number
  start: number
  end: number
  next: number
}

interface Fault {
  fault: string
  at: number
}

/** What stands at a place: an item, or the end of what there is to see, or a fault. */
type Found = Item | 'end' | Fault

/**
 * One array of items, or one value a line; every FILE is of the same form. An item is what stands before its
 * value and the value; its break is the comma, or the white space up to the line's end.
 */
export class JsonMode implements Mode {
  readonly #space: Workspace
  readonly #path: Path
  readonly #isLines: boolean
  #form: 'array' | 'lines' | undefined
  /** The bytes behind an array's last item. */
  #tail: Uint8Array = NOTHING
  /** The last item ended in a comma. */
  #expectsItem = false
  #line = 1
  #column = 1

  constructor(space: Workspace, options: JsonStreamOptions) {
    this.#space = space
    this.#path = parsePath(options.key)
    this.#isLines = options.isLines
  }

  get usualBreak(): Uint8Array {
    return this.#form === 'array' ? SEPARATOR : NEWLINE
  }

  tail(): Uint8Array {
    return this.#tail
  }

  headEnd(from: number, to: number, complete: boolean): number {
    const { bytes } = this.#space
    const markEnd = byteOrderMarkEnd(bytes, from, to, complete)
    if (markEnd === WAIT) return WAIT
    const start = skipSpace(bytes, markEnd, to)
    if (start === to && !complete) return WAIT
    if (start < to && !this.#tellForm(start, to, complete)) return WAIT
    this.#line = this.#column = 1
    this.#expectsItem = false
    const end = this.#form === 'array' && start < to ? start + 1 : markEnd
    this.#pass(from, end)
    return end
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    let at = from
    let keysAt = this.#space.keys
    for (let count = 0; count < limit; count++) {
      const found = this.#form === 'array' ? this.#nextOfArray(at, to, complete) : this.#nextOfLines(at, to, complete)
      if (found === 'end') return count
      if ('fault' in found) return this.#fail(count, at, found)
      const keysEnd = this.#setKey(count, found, keysAt)
      if (keysEnd === 'full') return count
      if (typeof keysEnd !== 'number') return this.#fail(count, at, keysEnd)
      keysAt = keysEnd
      this.#expectsItem = this.#form === 'array' && found.next > found.end
      this.#pass(at, found.next)
      at = found.next
    }
    return limit
  }

  /** The keys were set where the items were found. */
  setKeys(count: number): number {
    return count
  }

  #nextOfArray(from: number, to: number, complete: boolean): Found {
    const { bytes } = this.#space
    const start = skipSpace(bytes, from, to)
    if (start < to && bytes[start] === CLOSE_BRACKET && !this.#expectsItem)
      return this.#closeArray(from, start, { to, complete })
    const end = start < to ? valueEnd(bytes, start, to, complete) : INCOMPLETE
    if (end === MALFORMED) return { fault: NO_JSON, at: start }
    const separator = end === INCOMPLETE ? to : skipSpace(bytes, end, to)
    if (separator === to) return complete ? { fault: 'the array does not end', at: to } : 'end'
    if (bytes[separator] === CLOSE_BRACKET) return { from, start, end, next: end }
    return bytes[separator] === COMMA ? { from, start, end, next: separator + 1 } : { fault: NO_JSON, at: start }
  }

  #closeArray(from: number, bracket: number, file: { to: number; complete: boolean }): Found {
    const { bytes } = this.#space
    const behind = skipSpace(bytes, bracket + 1, file.to)
    if (behind < file.to) return { fault: 'something follows the array', at: behind }
    if (file.complete) this.#tail = bytes.slice(from, file.to)
    return 'end'
  }

  #nextOfLines(from: number, to: number, complete: boolean): Found {
    const { bytes } = this.#space
    const start = skipSpace(bytes, from, to)
    if (start === to) return 'end'
    const end = valueEnd(bytes, start, to, complete)
    if (end === MALFORMED) return { fault: NO_JSON, at: start }
    if (end === INCOMPLETE) return complete ? { fault: 'the value does not end', at: start } : 'end'
    let next = end
    while (next < to && isSpace(bytes[next]) && (next === end || bytes[next - 1] !== LINE_FEED)) next++
    const isBroken = next > end && bytes[next - 1] === LINE_FEED
    if (next === to && !isBroken && !complete) return 'end'
    return next === end && next < to ? { fault: NO_JSON, at: start } : { from, start, end, next }
  }

  /** Sets an item and its key, at `keysAt`; returns where the next key may stand. */
  #setKey(index: number, item: Item, keysAt: number): number | 'full' | Fault {
    const { bytes, words, keysEnd } = this.#space
    const { from, start, end, next } = item
    if (keysAt + JSON_KEY_GROWTH * (end - start) + JSON_KEY_SLACK_BYTES > keysEnd) return 'full'
    const key = readJsonKey(bytes.subarray(start, end), this.#path)
    if (key === undefined) return { fault: NO_JSON, at: start }
    setItem(this.#space, index, { start: from, end, next })
    const word = this.#space.item(index)
    if (key === 'as it stands') {
      words[word + ITEM.keyStart] = start
      return keysAt
    }
    bytes.set(key, keysAt)
    words[word + ITEM.keyStart] = keysAt
    words[word + ITEM.keyEnd] = keysAt + key.length
    return keysAt + key.length
  }

  /** Tells an array from values on lines; false when more must come first. */
  #tellForm(start: number, to: number, complete: boolean): boolean {
    const { bytes } = this.#space
    let isArray = !this.#isLines && bytes[start] === OPEN_BRACKET
    if (isArray) {
      const told = isFirstOfLines(bytes, start, to, complete)
      if (told === undefined && to - start < LOOK_AHEAD_BYTES) return false
      isArray = told !== true
    }
    const form = isArray ? 'array' : 'lines'
    this.#form ??= form
    if (form !== this.#form) throw new NotJson(`this is ${FORMS[form]}, the first file is ${FORMS[this.#form]}`)
    return true
  }

  /** Counts the lines between two places that are done with. */
  #pass(from: number, to: number): void {
    const { bytes } = this.#space
    let lineStart = from - this.#column + 1
    for (let at = from; at < to; at++) {
      if (bytes[at] !== LINE_FEED) continue
      this.#line++
      lineStart = at + 1
    }
    this.#column = to - lineStart + 1
  }

  /** The items before a fault go out first; it is found again, and thrown, when none is left. */
  #fail(count: number, from: number, { fault, at }: Fault): number {
    if (count > 0) return count
    this.#pass(from, at)
    throw new NotJson(`line ${this.#line}, column ${this.#column}: ${fault}`)
  }
}
