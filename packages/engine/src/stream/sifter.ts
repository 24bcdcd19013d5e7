import { ITEM, type Workspace } from './workspace.ts'

/** How one kind of input is taken apart. Both functions speak of the items at the head of the workspace. */
export interface Mode {
  /**
   * Where the items of a file begin that stands from `from`, or `WAIT` for more of it. What comes before them
   * (a byte-order mark, an opening bracket) goes out in front of the first file's survivors. Absent: at `from`.
   */
  headEnd?(from: number, to: number, complete: boolean): number
  /**
   * Finds the items between `from` and `to`, `limit` at most, and returns how many. `complete`: the file ends
   * at `to`. An item that may go on is left for later.
   */
  split(limit: number, from: number, to: number, complete: boolean): number
  /** Sets what the first `count` items are compared by; returns how many there was room for, at least one. */
  setKeys(count: number): number
  /** Items that take no part: neither kept nor removed. */
  isDiscarded?(item: number): boolean
  /**
   * Present when the first item of each file is a header: what the header at the head of the workspace is
   * compared by. A later header that equals the first one is left out.
   */
  headerKey?(): Uint8Array
  /** What goes out behind the last survivor. */
  tail?(): Uint8Array
  /** What parts two items when the input has not shown its own way yet. */
  readonly usualBreak: Uint8Array
}

/** A file's head is not complete. */
export const WAIT = -1

/** Decides which items survive; asked about each in turn. */
export interface Judge {
  /** Tells which items, the first `count` of the workspace, are asked about next. */
  approach?(count: number): void
  /** `position` when the item survives, else its survivor's position. */
  claim(item: number, position: number): number
}

/** Where a sifter's results go. Bytes are a view that holds until the function returns. */
export interface Sink {
  kept(bytes: Uint8Array): void
  /** An item that was dropped, its position and that of its survivor, both counted from 1. */
  removed?(bytes: Uint8Array, position: number, survivor: number): void
  /** The header row, before anything else. */
  header?(bytes: Uint8Array): void
}

/** An item that is longer than the kernel's memory, or the system's, can hold. */
export class TooLong extends Error {
  override readonly name = 'TooLong'

  /** `position`: the item's, from 1. `boundBytes`: what there was room for. */
  constructor(position: number, boundBytes: number) {
    super(`item ${position} is longer than ${boundBytes / MEGABYTE} MB, the most that one may take`)
  }
}

/** A line break, for `usualBreak`. */
export const NEWLINE: Uint8Array = Uint8Array.of(0x0a)
const RETURN = 0x0d
const MEGABYTE = 1_048_576
const NOTHING = new Uint8Array()
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
/** Below this a look at the same bytes again costs nothing worth avoiding. */
const RESCAN_FREE_BYTES = 65_536

/** Bytes go in as they come; each file's end is told, then the stream's. */
export interface Sifting {
  readonly kept: number
  readonly removed: number
  push(bytes: Uint8Array): void
  endFile(): void
  end(): void
}

/**
 * Sifts a stream of bytes: the first item of each key goes on to the sink, as the very bytes it was, the
 * others don't. `push` takes the bytes as they come, `endFile` ends a file (and its last item), `end` the stream.
 *
 * A survivor's line break is held back until another survivor follows: the output ends with one exactly when
 * the input does.
 */
export class Sifter implements Sifting {
  kept = 0
  removed = 0
  readonly #space: Workspace
  readonly #mode: Mode
  readonly #sink: Sink
  readonly #judge: Judge
  /** Bytes in the window that no item was made of yet. */
  #waitingBytes = 0
  /** So many bytes must be there before looking again is worth it: each byte is looked at about twice. */
  #worthLookingBytes = 0
  #position = 0
  /** What parts the last survivor from the next one, should one follow. */
  #heldBreak: Uint8Array | null = null
  #usualBreak: Uint8Array | null = null
  #endsWithBreak = false
  /** The last byte that went out. */
  #lastByte = 0
  #stage: 'start' | 'header' | 'items' = 'start'
  /** A head or an item went by: no later file's head is wanted. */
  #hasBegun = false
  #header: Uint8Array | null = null

  constructor(space: Workspace, mode: Mode, to: { sink: Sink; judge: Judge }) {
    this.#space = space
    this.#mode = mode
    this.#sink = to.sink
    this.#judge = to.judge
  }

  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#waitingBytes === this.#space.windowBytes) this.#grow()
      const part = bytes.subarray(at, at + this.#space.windowBytes - this.#waitingBytes)
      this.#space.bytes.set(part, this.#space.window + this.#waitingBytes)
      this.#waitingBytes += part.length
      at += part.length
      if (this.#waitingBytes >= this.#worthLookingBytes) this.#sift(false)
    }
  }

  endFile(): void {
    this.#sift(true)
    this.#stage = 'start'
  }

  end(): void {
    if (this.#endsWithBreak && this.#heldBreak) this.#emit(this.#heldBreak)
    this.#heldBreak = null
    if (this.#mode.tail) this.#emit(this.#mode.tail())
  }

  #grow(): void {
    if (!this.#space.grow(this.#waitingBytes)) throw new TooLong(this.#position + 1, this.#space.windowBytes)
  }

  #sift(complete: boolean): void {
    const to = this.#space.window + this.#waitingBytes
    let from = this.#space.window
    if (this.#stage === 'start') from = this.#startFile(from, to, complete)
    while (this.#stage !== 'start' && from < to) {
      const limit = this.#stage === 'header' ? 1 : this.#space.itemLimit
      const count = this.#mode.split(limit, from, to, complete)
      if (count === 0) break
      this.#hasBegun = true
      from = this.#stage === 'header' ? this.#takeHeader() : this.#take(count)
    }
    this.#space.bytes.copyWithin(this.#space.window, from, to)
    // What is left of a complete file is its tail.
    this.#waitingBytes = complete ? 0 : to - from
    this.#worthLookingBytes = this.#waitingBytes > RESCAN_FREE_BYTES ? 2 * this.#waitingBytes : 0
    if (this.#worthLookingBytes > this.#space.windowBytes && !this.#space.grow(this.#waitingBytes)) {
      this.#worthLookingBytes = this.#space.windowBytes
    }
  }

  /** Passes over the file's head, which the first file keeps. Returns where the items begin. */
  #startFile(from: number, to: number, complete: boolean): number {
    const end = this.#mode.headEnd ? this.#mode.headEnd(from, to, complete) : from
    if (end === WAIT) return from
    this.#stage = this.#mode.headerKey ? 'header' : 'items'
    if (end > from && !this.#hasBegun) {
      this.#emit(this.#space.bytes.subarray(from, end))
      this.#hasBegun = true
    }
    return end
  }

  #takeHeader(): number {
    this.#stage = 'items'
    const key = this.#mode.headerKey?.() ?? NOTHING
    if (this.#header && !sameBytes(this.#header, key)) return this.#take(1)
    const item = this.#space.item(0)
    const { words, bytes } = this.#space
    if (!this.#header) {
      this.#header = key.slice()
      words[item + ITEM.kept] = 1
      this.#sink.header?.(bytes.subarray(words[item + ITEM.start], words[item + ITEM.end]))
      this.#handOver(1, 0)
    }
    this.#noteBreak(1)
    return words[item + ITEM.next] ?? 0
  }

  /** Judges the first `count` items, or as many as there is room for. Returns where the next one begins. */
  #take(count: number): number {
    const { kernel, items, seed, blocks } = this.#space
    const keyed = this.#mode.setKeys(count)
    kernel.hashKeys(items, keyed, seed, blocks)
    this.#handOver(keyed, this.#judgeItems(keyed))
    this.#noteBreak(keyed)
    return this.#space.words[this.#space.item(keyed - 1) + ITEM.next] ?? 0
  }

  /** Marks the items that survive; returns the last one's index, -1 when there is none. */
  #judgeItems(count: number): number {
    const { words, bytes } = this.#space
    let lastKept = -1
    this.#judge.approach?.(count)
    for (let index = 0; index < count; index++) {
      const item = this.#space.item(index)
      const position = ++this.#position
      if (this.#mode.isDiscarded?.(item)) continue
      const survivor = this.#judge.claim(item, position)
      if (survivor === position) {
        words[item + ITEM.kept] = 1
        lastKept = index
        this.kept++
      } else {
        this.removed++
        this.#sink.removed?.(bytes.subarray(words[item + ITEM.start], words[item + ITEM.end]), position, survivor)
      }
    }
    return lastKept
  }

  /** As in the kernel: a `\r` that comes to stand before a `\n` becomes a line break of its own. */
  #emit(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#lastByte === RETURN && bytes[0] === NEWLINE[0]) this.#sink.kept(NEWLINE)
    this.#lastByte = bytes.at(-1) ?? 0
    this.#sink.kept(bytes)
  }

  /** Hands the survivors over, the line break before them first, but for the last one's. */
  #handOver(count: number, lastKept: number): void {
    if (lastKept < 0) return
    const { kernel, words, bytes, items, out } = this.#space
    const last = this.#space.item(lastKept)
    const breakBytes = (words[last + ITEM.next] ?? 0) - (words[last + ITEM.lineBreak] ?? 0)
    const end = out + kernel.gather(items, count, out)
    if (this.#heldBreak) this.#emit(this.#heldBreak)
    this.#emit(bytes.subarray(out, end - breakBytes))
    this.#heldBreak = breakBytes > 0 ? bytes.slice(end - breakBytes, end) : (this.#usualBreak ?? this.#mode.usualBreak)
  }

  /** The input's own line break, for an item at the end of a file that has none and is followed by another file. */
  #noteBreak(count: number): void {
    const { words, bytes } = this.#space
    const breakOf = (item: number): Uint8Array => bytes.slice(words[item + ITEM.lineBreak], words[item + ITEM.next])
    const first = breakOf(this.#space.item(0))
    if (first.length > 0) this.#usualBreak ??= first
    this.#endsWithBreak = breakOf(this.#space.item(count - 1)).length > 0
  }
}

/** Behind the byte-order mark at `from`, `from` when there is none, `WAIT` when it may be about to come. */
export function byteOrderMarkEnd(bytes: Uint8Array, from: number, to: number, complete: boolean): number {
  const marked = BYTE_ORDER_MARK.findIndex((byte, i) => from + i >= to || bytes[from + i] !== byte)
  if (marked < 0) return from + BYTE_ORDER_MARK.length
  return from + marked === to && !complete ? WAIT : from
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
