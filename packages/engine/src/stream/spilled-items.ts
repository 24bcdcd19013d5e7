import { ITEM, type Space, VERDICT } from '../core/space.ts'
import type { Splitter } from '../core/splitter.ts'
import { ByteReader } from './byte-reader.ts'
import { ITEMS_PART, PARTITIONS, partitionOf, type Spill, verdictsPart } from './spill.ts'
import { SpilledKeys } from './spilled-keys.ts'
import type { Window } from './window.ts'

export interface SpillOptions {
  readonly spill: Spill
  /** Memory for keys. */
  readonly memoryBytes: number
  readonly exact: boolean
}

/** Receives the verdicts on spilled items, in order. */
export interface SpilledSink {
  /** The first `count` items of the space have been judged; the last one is at `lastPosition`. */
  judged(count: number, lastPosition: number): void
  /** `item`: its first word in memory. Positions count from 0. */
  removed?: ((item: number, position: number, survivor: number) => void) | undefined
}

const UNDECIDED = 1
/** A batch starts with the numbers of its items and bytes, followed by the marks of each item and then its places. */
const HEAD_WORDS = 2
/** Whether the item is undecided and its partition; the lengths of the item and its break. */
const MARKS = 3
/** Its position, and its survivor's if known. */
const PLACES = 2

/**
 * Takes over when the table of keys has used up its memory. Keys already in the table are still judged by it; an item
 * with any other key is spilled, and its key goes to one of many partitions. At the end each partition is small enough
 * to be judged by itself, and the items are read once more, in order.
 */
export class SpilledItems {
  kept = 0
  removed = 0
  readonly #window: Window
  readonly #space: Space
  readonly #splitter: Splitter
  readonly #options: SpillOptions
  readonly #keys: readonly SpilledKeys[]
  #isFull = false

  constructor(window: Window, splitter: Splitter, options: SpillOptions) {
    this.#window = window
    this.#space = window.space
    this.#splitter = splitter
    this.#options = options
    this.#keys = Array.from({ length: PARTITIONS }, (_, at) => new SpilledKeys(options.spill, at, options.exact))
    this.#space.kernel.limitTable(options.memoryBytes)
  }

  /** Judges the first `count` items of the space, or spills them, which discards them in the space. */
  judge(count: number, position: number): void {
    const { kernel, items } = this.#space
    this.#splitter.setKeys(count)
    this.#space.hashKeys(count)
    const fitting = this.#isFull ? 0 : kernel.getOrInsert(items, count, position)
    if (fitting === count) return
    this.#isFull = true
    kernel.find(items + fitting * kernel.itemBytes(), count - fitting)
    this.#spill(fitting, count, position)
  }

  /** Reports on everything that was spilled; pauses now and then, so that its output can be written. */
  *resolve(sink: SpilledSink): Generator<void> {
    if (!this.#isFull) return
    const { spill, memoryBytes } = this.#options
    for (const [partition, keys] of this.#keys.entries()) {
      if (keys.count === 0) continue
      spill.write(verdictsPart(partition), new Uint8Array(keys.survivors(memoryBytes).buffer))
      yield
    }
    const survivors = this.#keys.map(({ count }, partition) => new Survivors(spill, partition, count))
    const reader = new ByteReader(spill.read(ITEMS_PART))
    const head = new Uint32Array(HEAD_WORDS)
    while (reader.fill(new Uint8Array(head.buffer))) {
      this.#reportBatch(reader, head, survivors, sink)
      yield
    }
  }

  /** Writes the items from `first` on that still matter, using the area where survivors are gathered later. */
  #spill(first: number, count: number, position: number): void {
    const { words, bytes } = this.#space
    const marks = new Uint32Array((count - first) * MARKS)
    const places = new Float64Array((count - first) * PLACES)
    const text = new Runs(bytes, this.#window.out)
    let taken = 0
    for (let index = first; index < count; index++) {
      const item = this.#space.item(index)
      const verdict = words[item + ITEM.verdict]
      if (verdict === VERDICT.discarded) continue
      const start = words[item + ITEM.start] ?? 0
      const end = words[item + ITEM.end] ?? 0
      const lineBreak = words[item + ITEM.lineBreak] ?? 0
      const next = words[item + ITEM.next] ?? 0
      marks[taken * MARKS] = verdict === VERDICT.undecided ? this.#spillKey(item, position + index) : 0
      marks[taken * MARKS + 1] = end - start
      marks[taken * MARKS + 2] = next - lineBreak
      places[taken * PLACES] = position + index
      places[taken * PLACES + 1] = verdict === VERDICT.removed ? this.#space.survivorOf(item) : position + index
      text.add(start, end)
      text.add(lineBreak, next)
      words[item + ITEM.verdict] = VERDICT.discarded
      taken++
    }
    const { out } = this.#window
    const to = text.end()
    const { spill } = this.#options
    spill.write(ITEMS_PART, new Uint8Array(Uint32Array.of(taken, to - out).buffer))
    spill.write(ITEMS_PART, new Uint8Array(marks.buffer, 0, taken * MARKS * marks.BYTES_PER_ELEMENT))
    spill.write(ITEMS_PART, new Uint8Array(places.buffer, 0, taken * PLACES * places.BYTES_PER_ELEMENT))
    spill.write(ITEMS_PART, bytes.subarray(out, to))
  }

  /** Returns the item's mark. */
  #spillKey(item: number, position: number): number {
    const { words, bytes } = this.#space
    const partition = partitionOf(words[item + ITEM.hash] ?? 0)
    const keys = this.#keys[partition]
    if (this.#options.exact)
      keys?.addBytes(bytes.subarray(words[item + ITEM.keyStart], words[item + ITEM.keyEnd]), position)
    else keys?.addHash(words, item + ITEM.hash, position)
    return 2 * partition + UNDECIDED
  }

  /** Puts the items of a batch back into the space and reports on them. */
  #reportBatch(
    reader: ByteReader,
    [count = 0, textBytes = 0]: Uint32Array,
    survivors: readonly Survivors[],
    sink: SpilledSink,
  ): void {
    const { words, bytes } = this.#space
    const marks = new Uint32Array(count * MARKS)
    const places = new Float64Array(count * PLACES)
    let start = this.#window.start
    reader.fill(new Uint8Array(marks.buffer))
    reader.fill(new Uint8Array(places.buffer))
    reader.fill(bytes.subarray(start, start + textBytes))
    for (let index = 0; index < count; index++) {
      const item = this.#space.item(index)
      const mark = marks[index * MARKS] ?? 0
      const end = start + (marks[index * MARKS + 1] ?? 0)
      const position = places[index * PLACES] ?? 0
      let survivor = places[index * PLACES + 1] ?? 0
      if (mark & UNDECIDED) {
        survivor = survivors[mark >>> 1]?.next() ?? 0
        // The kernel has already counted the items that it judged.
        if (survivor === position) this.kept++
        else this.removed++
      }
      words[item + ITEM.start] = start
      words[item + ITEM.end] = words[item + ITEM.lineBreak] = end
      words[item + ITEM.next] = end + (marks[index * MARKS + 2] ?? 0)
      words[item + ITEM.verdict] = survivor === position ? VERDICT.kept : VERDICT.removed
      if (survivor !== position) sink.removed?.(item, position, survivor)
      start = words[item + ITEM.next] ?? 0
    }
    sink.judged(count, places[(count - 1) * PLACES] ?? 0)
  }
}

/** Copies ranges of bytes one after another; adjacent ranges are copied together. */
class Runs {
  readonly #bytes: Uint8Array
  #to: number
  #from = 0
  #until = 0

  constructor(bytes: Uint8Array, to: number) {
    this.#bytes = bytes
    this.#to = to
  }

  add(start: number, end: number): void {
    if (start !== this.#until) {
      this.end()
      this.#from = start
    }
    this.#until = end
  }

  /** The end of the copied bytes. */
  end(): number {
    this.#bytes.copyWithin(this.#to, this.#from, this.#until)
    this.#to += this.#until - this.#from
    this.#from = this.#until
    return this.#to
  }
}

const SURVIVORS_PER_BATCH = 64

/** The survivors of a partition's items, one after another. */
class Survivors {
  readonly #spill: Spill
  readonly #partition: number
  #left: number
  #reader: ByteReader | undefined
  #some = new Float64Array()
  #at = 0

  constructor(spill: Spill, partition: number, count: number) {
    this.#spill = spill
    this.#partition = partition
    this.#left = count
  }

  next(): number {
    if (this.#at === this.#some.length) this.#read()
    return this.#some[this.#at++] ?? 0
  }

  #read(): void {
    this.#reader ??= new ByteReader(this.#spill.read(verdictsPart(this.#partition)))
    this.#some = new Float64Array(Math.min(SURVIVORS_PER_BATCH, this.#left))
    this.#reader.fill(new Uint8Array(this.#some.buffer))
    this.#left -= this.#some.length
    this.#at = 0
  }
}
