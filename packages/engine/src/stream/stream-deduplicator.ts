import { byteOrderMarkEnd, joined, NOTHING, RETURN, WAIT } from '../core/bytes.ts'
import { endOfItems } from '../core/judge.ts'
import { ITEM, ITEMS_PER_BATCH, type Space, VERDICT } from '../core/space.ts'
import { type FileSplitter, NEWLINE } from '../core/splitter.ts'
import type { SpilledItems } from './spilled-items.ts'
import type { Window } from './window.ts'

/** Judges the first `count` items of the space; their positions start at `position`, counted from 0. */
export type Judge = (count: number, position: number) => void

/** Receives a deduplicator's results. Bytes are a view that is valid until the function returns. */
export interface Sink {
  kept(bytes: Uint8Array): void
  /**
   * A dropped item with its position and its survivor's, both counted from 1. A row whose last quote is still open at
   * the end of its file comes with the quote that closes it.
   */
  removed?(bytes: Uint8Array, position: number, survivor: number): void
  /** The header row, before anything else; closed like a dropped one. */
  header?(bytes: Uint8Array): void
}

/** An item that is too long for the memory. */
export class TooLong extends Error {
  override readonly name = 'TooLong'

  /**
   * @param position the item's position, from 1
   * @param boundBytes the most bytes that an item could have
   */
  constructor(position: number, boundBytes: number) {
    super(`item ${position} is longer than ${boundBytes / MEGABYTE} MB, the most that one may take`)
  }
}

const MEGABYTE = 1_048_576
/** Below this many bytes, scanning again costs too little to avoid. */
const RESCAN_FREE_BYTES = 65_536

/** Accepts bytes as they arrive, the end of each file, and the end of the stream. */
export interface Sifting {
  readonly kept: number
  readonly removed: number
  /**
   * Items so far that have the compared part: rows with at least one of the chosen columns, items with a value at the
   * path; all items if nothing was chosen.
   */
  readonly withKey: number
  /** Items so far whose whole key is empty: empty lines, rows whose chosen cells are all empty or missing. */
  readonly emptyKeys: number
  /**
   * @throws TooLong when an item does not fit in memory
   * @throws NoMemory when the keys do not fit
   * @throws NotJson when the input should be JSON and is not
   */
  push(bytes: Uint8Array): void
  /**
   * Ends a file, and its last item.
   * @throws NoMemory when the keys do not fit
   * @throws NotJson when the input should be JSON and is not
   */
  endFile(): void
  end(): void
  /** Does the same as `end` in steps, so that the output of each can be written before the next. */
  ending(): Iterable<void>
}

/**
 * Deduplicates a stream of bytes: the first item with each key is passed to the sink with its exact bytes, others are
 * not. `push` accepts bytes as they arrive, `endFile` ends a file (and its last item), `end` the stream.
 *
 * A survivor's line break is held back until another survivor follows, so the output ends with a break exactly when the
 * input does.
 */
export class StreamDeduplicator implements Sifting {
  readonly #space: Space
  readonly #window: Window
  readonly #splitter: FileSplitter
  readonly #sink: Sink
  readonly #judge: Judge
  readonly #spilled: SpilledItems | undefined
  /** The position of the window's start in the stream. */
  windowOffset = 0
  /** Bytes in the window that are not part of an item yet. */
  #waitingBytes = 0
  /** How many bytes must have arrived before the next scan, so that each byte is scanned about twice. */
  #nextScanBytes = 0
  #position = 0
  /** The break between the last survivor and the next one, should one follow. */
  #heldBreak: Uint8Array | null = null
  /** The first break of the input, and the position from which on it stands in for a missing one. */
  #firstBreak: Uint8Array = NOTHING
  #firstBreakAt = Number.POSITIVE_INFINITY
  #endsWithBreak = false
  /** The last byte that was emitted. */
  #lastByte = 0
  #stage: 'start' | 'header' | 'items' = 'start'
  /** Whether anything has been emitted, so that later byte-order marks are dropped. */
  #hasBegun = false
  /** Whether a file has begun with an opening, so that those of later files are dropped. */
  #isOpen = false
  #header: Uint8Array | null = null

  constructor(
    window: Window,
    splitter: FileSplitter,
    to: { sink: Sink; judge: Judge; spilled?: SpilledItems | undefined },
  ) {
    this.#space = window.space
    this.#window = window
    this.#splitter = splitter
    this.#sink = to.sink
    this.#judge = to.judge
    this.#spilled = to.spilled
  }

  get kept(): number {
    return this.#space.kernel.keptCount() + (this.#spilled?.kept ?? 0)
  }

  get removed(): number {
    return this.#space.kernel.removedCount() + (this.#spilled?.removed ?? 0)
  }

  get withKey(): number {
    return this.#space.kernel.withKeyCount()
  }

  get emptyKeys(): number {
    return this.#space.kernel.emptyKeyCount()
  }

  push(bytes: Uint8Array): void {
    let at = 0
    while (at < bytes.length) {
      if (this.#waitingBytes === this.#window.bytes) throw new TooLong(this.#position + 1, this.#window.bytes)
      const part = bytes.subarray(at, at + this.#window.bytes - this.#waitingBytes)
      this.#space.bytes.set(part, this.#window.start + this.#waitingBytes)
      this.#waitingBytes += part.length
      at += part.length
      if (this.#waitingBytes >= this.#nextScanBytes) this.#deduplicate(false)
    }
  }

  endFile(): void {
    this.#deduplicate(true)
    this.#stage = 'start'
  }

  end(): void {
    for (const _ of this.ending());
  }

  *ending(): Generator<void> {
    if (this.#spilled) {
      const { removed } = this.#sink
      yield* this.#spilled.resolve({
        judged: (count, lastPosition) => this.#handOver(count, lastPosition),
        removed: removed && ((item, position, survivor) => removed(this.#closed(item), position + 1, survivor + 1)),
      })
    }
    if (this.#endsWithBreak && this.#heldBreak) this.#emit(this.#heldBreak)
    this.#heldBreak = null
    if (this.#splitter.tail) this.#emit(this.#splitter.tail())
  }

  #deduplicate(complete: boolean): void {
    const to = this.#window.start + this.#waitingBytes
    let from = this.#window.start
    this.#space.endText(to)
    if (this.#stage === 'start') from = this.#startFile(from, to, complete)
    while (this.#stage !== 'start' && from < to) {
      const limit = this.#stage === 'header' ? 1 : ITEMS_PER_BATCH
      const count = this.#splitter.split(limit, from, to, complete)
      if (count === 0) break
      this.#hasBegun = true
      const next = endOfItems(this.#space, count)
      if (this.#stage === 'header') this.#takeHeader()
      else this.#take(count)
      this.#splitter.passed?.(count, next)
      from = next
    }
    if (complete) this.#splitter.fileEnded?.(to)
    this.#keepRest(from, to)
    if (complete) this.#drop()
  }

  /** The remainder of a complete file is its tail. */
  #drop(): void {
    this.windowOffset += this.#waitingBytes
    this.#waitingBytes = this.#nextScanBytes = 0
  }

  /** Moves bytes that are not part of an item to the start of the window. */
  #keepRest(from: number, to: number): void {
    this.windowOffset += from - this.#window.start
    this.#space.bytes.copyWithin(this.#window.start, from, to)
    this.#waitingBytes = to - from
    this.#nextScanBytes = this.#waitingBytes > RESCAN_FREE_BYTES ? 2 * this.#waitingBytes : 0
    if (this.#nextScanBytes > this.#window.bytes && !this.#window.grow(this.#waitingBytes)) {
      this.#nextScanBytes = this.#window.bytes // the item may still end within the window
    }
  }

  /** Skips the file's head. Returns where the items begin. */
  #startFile(from: number, to: number, complete: boolean): number {
    const end = this.#splitter.headEnd ? this.#splitter.headEnd(from, to, complete) : from
    if (end === WAIT) return from
    this.#stage = this.#splitter.headerKey ? 'header' : 'items'
    this.#emitHead(from, end)
    return end
  }

  /** A byte-order mark is kept at the very start, and so is the first opening, in whichever files they are. */
  #emitHead(from: number, to: number): void {
    const { bytes } = this.#space
    const markEnd = byteOrderMarkEnd(bytes, from, to, true)
    if (!this.#hasBegun) this.#emit(bytes.subarray(from, markEnd))
    if (!this.#isOpen) this.#emit(bytes.subarray(markEnd, to))
    this.#isOpen ||= to > markEnd
    this.#hasBegun ||= to > from
  }

  #takeHeader(): void {
    this.#stage = 'items'
    const key = this.#splitter.headerKey?.() ?? NOTHING
    if (this.#header && !sameBytes(this.#header, key)) {
      this.#splitter.notHeader?.()
      this.#take(1)
      return
    }
    const item = this.#space.item(0)
    if (!this.#header) {
      this.#header = key.slice()
      this.#space.words[item + ITEM.verdict] = VERDICT.kept
      this.#sink.header?.(this.#closed(item))
      this.#handOver(1)
    }
    this.#noteBreak(1)
  }

  /** Judges the first `count` items. */
  #take(count: number): void {
    this.#judge(count, this.#position)
    if (this.#sink.removed) this.#reportRemoved(count)
    this.#position += count
    this.#noteBreak(count)
    this.#handOver(count)
  }

  #reportRemoved(count: number): void {
    const { words } = this.#space
    for (let index = 0; index < count; index++) {
      const item = this.#space.item(index)
      if (words[item + ITEM.verdict] !== VERDICT.removed) continue
      this.#sink.removed?.(this.#closed(item), this.#position + index + 1, this.#space.survivorOf(item) + 1)
    }
  }

  /** Like the kernel: when a `\r` would end up before a `\n`, it becomes a line break of its own. */
  #emit(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#lastByte === RETURN && bytes[0] === NEWLINE[0]) this.#sink.kept(NEWLINE)
    this.#lastByte = bytes.at(-1) ?? 0
    this.#sink.kept(bytes)
  }

  /** Passes on the survivors, each preceded by the break before it; the last one's break is held back. */
  #handOver(count: number, lastPosition = this.#position - 1): void {
    const { kernel, words, items } = this.#space
    let lastKept = count - 1
    while (lastKept >= 0 && words[this.#space.item(lastKept) + ITEM.verdict] !== VERDICT.kept) lastKept--
    if (lastKept < 0) return
    const { out } = this.#window
    const end = out + (kernel.gather(items, lastKept, out) >>> 0)
    if (this.#heldBreak) this.#emit(this.#heldBreak)
    this.#emit(this.#space.bytes.subarray(out, end))
    // On its own, because whether its break is emitted is not known yet.
    const last = this.#space.item(lastKept)
    this.#emit(this.#textOf(last))
    const lineBreak = this.#breakOf(last)
    this.#heldBreak = lineBreak.length > 0 ? lineBreak : this.#missingBreak(last, lastPosition)
  }

  /** What comes between an item without a break, at the end of a file, and another file. */
  #missingBreak(item: number, position: number): Uint8Array {
    const lineBreak = position >= this.#firstBreakAt ? this.#firstBreak : this.#splitter.usualBreak
    return joined(this.#closingOf(item), lineBreak)
  }

  #textOf(item: number): Uint8Array {
    const { words, bytes } = this.#space
    return bytes.subarray(words[item + ITEM.start], words[item + ITEM.end])
  }

  #breakOf(item: number): Uint8Array {
    const { words, bytes } = this.#space
    return bytes.slice(words[item + ITEM.lineBreak], words[item + ITEM.next])
  }

  #closingOf(item: number): Uint8Array {
    const { words } = this.#space
    return this.#splitter.closing?.(words[item + ITEM.start] ?? 0, words[item + ITEM.end] ?? 0) ?? NOTHING
  }

  /** An item as something else may follow it. */
  #closed(item: number): Uint8Array {
    const { words } = this.#space
    const text = this.#textOf(item)
    if (words[item + ITEM.lineBreak] !== words[item + ITEM.next]) return text
    const closing = this.#closingOf(item)
    return closing.length === 0 ? text : joined(text, closing)
  }

  /** Notes the input's own line break. Called when the position has moved past the first `count` items. */
  #noteBreak(count: number): void {
    const first = this.#breakOf(this.#space.item(0))
    if (first.length > 0 && this.#firstBreakAt === Number.POSITIVE_INFINITY) {
      this.#firstBreak = first
      this.#firstBreakAt = this.#position - count
    }
    this.#endsWithBreak = this.#breakOf(this.#space.item(count - 1)).length > 0
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
