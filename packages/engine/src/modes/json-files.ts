import { byteOrderMarkEnd, COMMA, LINE_FEED, NOTHING, OPEN_BRACKET, skipSpace, WAIT } from '../core/bytes.ts'
import { NotJson, nameOf } from '../core/not-json.ts'
import { ITEM, type Space } from '../core/space.ts'
import { type FileSplitter, NEWLINE } from '../core/splitter.ts'
import { Items } from './items.ts'

export interface JsonStreamOptions {
  /** Dot path to the compared part of each item; empty compares the whole item. */
  readonly key: string
  /** Treat the input as one value per line, even if the first one is an array. */
  readonly isLines: boolean
  /** Whether an item includes the white space before its value; true by default. */
  readonly withSpace?: boolean
}

/**
 * Why a split stopped, other than at the end of the available input; values from the kernel (assembly/core/json.ts).
 */
const STOP = { closed: 2, fault: 3, noComma: 4, sameLine: 5 } as const

const SEPARATOR: Uint8Array = Uint8Array.of(COMMA)
const LAYOUTS = { array: 'an array', lines: 'one value per line' } as const

/** An array whose first line, with its break, is longer than this is taken to be the whole input. */
const LOOK_AHEAD_BYTES = 65_536

/**
 * One array of items, or one value per line; all files have the same layout. An item is its value and what precedes it;
 * its break is the comma, or the white space up to the end of the line.
 */
export class JsonFiles extends Items implements FileSplitter {
  readonly #space: Space
  readonly #isLines: boolean
  #hasLayout = false
  /** Whether this file's array has begun and not yet ended. */
  #isOpen = false
  /** The bytes after an array's last item. */
  #tail: Uint8Array = NOTHING
  #line = 1
  #column = 1

  constructor(space: Space, { key, isLines, withSpace = true }: JsonStreamOptions) {
    super(space, { key, layout: 'lines', withSpace })
    this.#space = space
    this.#isLines = isLines
  }

  get usualBreak(): Uint8Array {
    return this.layout === 'array' ? SEPARATOR : NEWLINE
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
    this.#line = this.#column = 1
    if (start < to && !this.#detectLayout(from, start, { to, complete })) return WAIT
    this.afterComma = false
    this.#isOpen = this.layout === 'array' && start < to
    const end = this.#isOpen ? start + 1 : markEnd
    this.#pass(from, end)
    return end
  }

  override split(limit: number, from: number, to: number, complete: boolean): number {
    // A file of nothing but white space among files of arrays.
    if (this.layout === 'array' && !this.#isOpen) return 0
    const count = super.split(limit, from, to, complete)
    // The items before an error are emitted first; the error is found again once none are left.
    if (count === 0) this.#stop(from, to, complete)
    return count
  }

  passed(count: number, to: number): void {
    const { words } = this.#space
    const first = words[this.#space.item(0) + ITEM.start] ?? 0
    const last = this.#space.item(count - 1)
    this.afterComma = this.layout === 'array' && (words[last + ITEM.next] ?? 0) > (words[last + ITEM.end] ?? 0)
    this.#pass(first, to)
  }

  /** Nothing may follow the last comma or the bracket. */
  fileEnded(to: number): void {
    if (this.#isOpen) this.#fail(to, to, 'the array does not end')
  }

  #stop(from: number, to: number, complete: boolean): void {
    const { kernel } = this.#space
    const place = kernel.stopPlace() >>> 0
    const reason = kernel.stopReason()
    if (reason === STOP.closed) this.#closeArray(from, place, { to, complete })
    else if (reason === STOP.noComma) this.#fail(from, place, 'a comma is missing')
    else if (reason === STOP.fault && place >= to) this.#fail(from, place, `the ${this.#whole} does not end`)
    else if (reason === STOP.sameLine && this.#beginsValue(place)) this.#fail(from, place, 'two values on one line')
    else if (reason === STOP.fault || reason === STOP.sameLine) this.#failAtWord(from, place, { to, complete })
  }

  get #whole(): string {
    return this.layout === 'array' ? 'array' : 'value'
  }

  #closeArray(from: number, bracket: number, file: { to: number; complete: boolean }): void {
    const { bytes } = this.#space
    const next = skipSpace(bytes, bracket + 1, file.to)
    if (next < file.to) this.#fail(from, next, 'something follows the array')
    if (!file.complete) return
    this.#tail = bytes.slice(from, file.to)
    this.#isOpen = false
  }

  /** Distinguishes an array from values on lines; false if more input is needed. */
  #detectLayout(from: number, start: number, file: { to: number; complete: boolean }): boolean {
    const { to, complete } = file
    const { bytes } = this.#space
    let isArray = !this.#isLines && bytes[start] === OPEN_BRACKET
    if (isArray) {
      const isLine = this.#isFirstOfLines(start, to, complete)
      if (isLine === undefined && to - start <= LOOK_AHEAD_BYTES) return false
      isArray = isLine !== true
    }
    const layout = isArray ? 'array' : 'lines'
    if (this.#hasLayout && layout !== this.layout) {
      this.#fail(from, start, `this is ${LAYOUTS[layout]}, the first file is ${LAYOUTS[this.layout]}`)
    }
    this.layout = layout
    this.#hasLayout = true
    return true
  }

  /**
   * Whether the array at `from` is the first of several values, one per line: it ends on its first line and another
   * value follows. Undefined if the bytes so far do not tell.
   */
  #isFirstOfLines(from: number, to: number, complete: boolean): boolean | undefined {
    const { kernel, bytes, stack } = this.#space
    kernel.openScanner(stack, 0, 0)
    const end = kernel.readValue(from) >>> 0
    if (end === 0 && kernel.faultPlace() >>> 0 < to) return false
    if (bytes.subarray(from, end || to).includes(LINE_FEED)) return false
    if (end === 0) return complete ? false : undefined
    const next = skipSpace(bytes, end, to)
    // What has arrived beyond the look-ahead must not matter, so that the verdict is the same however input is cut.
    if (next < to) return next - from <= LOOK_AHEAD_BYTES && bytes.subarray(end, next).includes(LINE_FEED)
    return complete ? false : undefined
  }

  /** Counts the lines in a processed range. */
  #pass(from: number, to: number): void {
    const { kernel, bytes } = this.#space
    const feeds = kernel.countLineFeeds(from, to)
    this.#line += feeds
    this.#column = feeds === 0 ? this.#column + to - from : to - bytes.lastIndexOf(LINE_FEED, to - 1)
  }

  #fail(from: number, at: number, fault: string): never {
    this.#pass(from, at)
    throw new NotJson(fault, { line: this.#line, column: this.#column })
  }

  #beginsValue(place: number): boolean {
    return /[[{"\-0-9tfn]/.test(String.fromCharCode(this.#space.bytes[place] ?? 0))
  }

  /**
   * A word that is not JSON (`NaN`, `undefined`) is shown whole with the column of its end, once all of it has arrived.
   */
  #failAtWord(from: number, at: number, file: { to: number; complete: boolean }): void {
    const { bytes } = this.#space
    const end = Math.min(at + LONGEST_WORD, file.to)
    const [word = ''] = /^[\w.+-]*/.exec(new TextDecoder('latin1').decode(bytes.subarray(at, end))) ?? []
    if (!file.complete && at + word.length === file.to) return
    this.#pass(from, at)
    const ending = word.length > 1 ? ` (up to column ${this.#column + word.length - 1})` : ''
    throw new NotJson(`unexpected ${word || nameOf(bytes[at] ?? 0)}${ending}`, {
      line: this.#line,
      column: this.#column,
    })
  }
}

/** How much of a word is shown. */
const LONGEST_WORD = 40
