import { behind } from '../core/judge.ts'
import { ITEM, ITEMS_AT_ONCE, type Space, VERDICT } from '../core/space.ts'
import { type Mode, NEWLINE, WAIT } from './mode.ts'
import type { SpilledItems } from './spilled-items.ts'
import type { Window } from './window.ts'

/** Gives the first `count` items of the space their verdicts; their positions begin with `position`, from 0. */
export type Judge = (count: number, position: number) => void

/** Where a deduplicator's results go. Bytes are a view that holds until the function returns. */
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

const RETURN = 0x0d
const MEGABYTE = 1_048_576
const NOTHING = new Uint8Array()
/** Below this a look at the same bytes again costs nothing worth avoiding. */
const RESCAN_FREE_BYTES = 65_536

/** Bytes go in as they come; each file's end is told, then the stream's. */
export interface Sifting {
  readonly kept: number
  readonly removed: number
  /**
   * Items so far that have what is compared: rows with at least one of the chosen columns, items in which the path
   * resolves; all of them without a choice.
   */
  readonly withKey: number
  /** Items so far whose whole key is empty: empty lines, rows of which every chosen cell is empty or missing. */
  readonly emptyKeys: number
  push(bytes: Uint8Array): void
  endFile(): void
  end(): void
  /** Does what `end` does, in steps: what each one handed to the sink can be written before the next. */
  ending(): Iterable<void>
}

/**
 * Sifts a stream of bytes: the first item of each key goes on to the sink, as the very bytes it was, the
 * others don't. `push` takes the bytes as they come, `endFile` ends a file (and its last item), `end` the stream.
 *
 * A survivor's line break is held back until another survivor follows: the output ends with one exactly when
 * the input does.
 */
export class StreamDeduplicator implements Sifting {
  readonly #space: Space
  readonly #window: Window
  readonly #mode: Mode
  readonly #sink: Sink
  readonly #judge: Judge
  readonly #spilled: SpilledItems | undefined
  /** Where the window begins in the stream. */
  windowOffset = 0
  /** Bytes in the window that no item was made of yet. */
  #waitingBytes = 0
  /** This many bytes must be there before looking again is worth it: each byte is looked at about twice. */
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

  constructor(window: Window, mode: Mode, to: { sink: Sink; judge: Judge; spilled?: SpilledItems | undefined }) {
    this.#space = window.space
    this.#window = window
    this.#mode = mode
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
      if (this.#waitingBytes === this.#window.bytes) this.#grow()
      const part = bytes.subarray(at, at + this.#window.bytes - this.#waitingBytes)
      this.#space.bytes.set(part, this.#window.start + this.#waitingBytes)
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
    for (const _ of this.ending());
  }

  *ending(): Generator<void> {
    if (this.#spilled) {
      const { removed } = this.#sink
      yield* this.#spilled.resolve({
        judged: (count) => this.#handOver(count),
        removed: removed && ((bytes, position, survivor) => removed(bytes, position + 1, survivor + 1)),
      })
    }
    if (this.#endsWithBreak && this.#heldBreak) this.#emit(this.#heldBreak)
    this.#heldBreak = null
    if (this.#mode.tail) this.#emit(this.#mode.tail())
  }

  #grow(): void {
    if (!this.#window.grow(this.#waitingBytes)) throw new TooLong(this.#position + 1, this.#window.bytes)
  }

  #sift(complete: boolean): void {
    const to = this.#window.start + this.#waitingBytes
    let from = this.#window.start
    this.#space.endText(to)
    if (this.#stage === 'start') from = this.#startFile(from, to, complete)
    while (this.#stage !== 'start' && from < to) {
      const limit = this.#stage === 'header' ? 1 : ITEMS_AT_ONCE
      const count = this.#mode.split(limit, from, to, complete)
      if (count === 0) break
      this.#hasBegun = true
      const next = behind(this.#space, count)
      if (this.#stage === 'header') this.#takeHeader()
      else this.#take(count)
      this.#mode.passed?.(count, next)
      from = next
    }
    if (complete) this.#mode.fileEnded?.(to)
    this.#keepRest(from, to)
    if (complete) this.#drop()
  }

  /** What is left of a complete file is its tail. */
  #drop(): void {
    this.windowOffset += this.#waitingBytes
    this.#waitingBytes = this.#worthLookingBytes = 0
  }

  /** What no item was made of moves to the window's beginning. */
  #keepRest(from: number, to: number): void {
    this.windowOffset += from - this.#window.start
    this.#space.bytes.copyWithin(this.#window.start, from, to)
    this.#waitingBytes = to - from
    this.#worthLookingBytes = this.#waitingBytes > RESCAN_FREE_BYTES ? 2 * this.#waitingBytes : 0
    if (this.#worthLookingBytes > this.#window.bytes && !this.#window.grow(this.#waitingBytes)) {
      this.#worthLookingBytes = this.#window.bytes
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

  #takeHeader(): void {
    this.#stage = 'items'
    const key = this.#mode.headerKey?.() ?? NOTHING
    if (this.#header && !sameBytes(this.#header, key)) {
      this.#take(1)
      return
    }
    const item = this.#space.item(0)
    if (!this.#header) {
      this.#header = key.slice()
      const { words, bytes } = this.#space
      words[item + ITEM.verdict] = VERDICT.kept
      this.#sink.header?.(bytes.subarray(words[item + ITEM.start], words[item + ITEM.end]))
      this.#handOver(1)
    }
    this.#noteBreak(1)
  }

  /** Judges the first `count` items. */
  #take(count: number): void {
    this.#judge(count, this.#position)
    if (this.#sink.removed) this.#tellRemoved(count)
    this.#position += count
    this.#handOver(count)
    this.#noteBreak(count)
  }

  #tellRemoved(count: number): void {
    const { words, bytes } = this.#space
    for (let index = 0; index < count; index++) {
      const item = this.#space.item(index)
      if (words[item + ITEM.verdict] !== VERDICT.removed) continue
      const removed = bytes.subarray(words[item + ITEM.start], words[item + ITEM.end])
      this.#sink.removed?.(removed, this.#position + index + 1, this.#space.survivorOf(item) + 1)
    }
  }

  /** As in the kernel: a `\r` that comes to stand before a `\n` becomes a line break of its own. */
  #emit(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#lastByte === RETURN && bytes[0] === NEWLINE[0]) this.#sink.kept(NEWLINE)
    this.#lastByte = bytes.at(-1) ?? 0
    this.#sink.kept(bytes)
  }

  /** Hands the survivors over, the line break before them first, but for the last one's. */
  #handOver(count: number): void {
    const { kernel, words, items } = this.#space
    let lastKept = count - 1
    while (lastKept >= 0 && words[this.#space.item(lastKept) + ITEM.verdict] !== VERDICT.kept) lastKept--
    if (lastKept < 0) return
    const last = this.#space.item(lastKept)
    const breakBytes = (words[last + ITEM.next] ?? 0) - (words[last + ITEM.lineBreak] ?? 0)
    const { out } = this.#window
    const end = out + (kernel.gather(items, count, out) >>> 0)
    if (this.#heldBreak) this.#emit(this.#heldBreak)
    const { bytes } = this.#space
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

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}
