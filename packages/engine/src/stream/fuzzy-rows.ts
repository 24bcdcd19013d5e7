import { ITEM, VERDICT } from '../core/space.ts'
import { FuzzyTexts } from '../modes/fuzzy-text.ts'
import type { RowStreamOptions, Rows } from '../modes/rows.ts'
import type { Verdicts } from '../verdicts.ts'
import { type Judge, type Sifting, type Sink, StreamDeduplicator } from './stream-deduplicator.ts'
import type { Window } from './window.ts'

export interface FuzzyRowStreamOptions extends Omit<RowStreamOptions, 'caseSensitive'> {
  /** Judges the keys of all rows: the chosen cells joined by a space, not yet normalised. */
  judgeKeys(keys: readonly string[]): Verdicts
}

/**
 * Fuzzy comparison of rows. Any row may turn out to be the survivor of any later one, so the input is held in memory
 * and read twice: once for keys and, when all are judged, once for survivors.
 */
export class FuzzyRows implements Sifting {
  withKey = 0
  emptyKeys = 0
  readonly #judgeKeys: FuzzyRowStreamOptions['judgeKeys']
  readonly #sink: Sink
  readonly #window: Window
  readonly #splitter: Rows
  readonly #files: Uint8Array[][] = [[]]
  readonly #texts: FuzzyTexts
  /** The row that each text comes from; rows kept because they are empty have none. */
  readonly #rows: number[] = []
  #rowCount = 0
  readonly #reading: StreamDeduplicator

  constructor(
    window: Window,
    splitter: Rows,
    { judgeKeys, sink }: Pick<FuzzyRowStreamOptions, 'judgeKeys'> & { sink: Sink },
  ) {
    this.#judgeKeys = judgeKeys
    this.#sink = sink
    this.#window = window
    this.#splitter = splitter
    this.#texts = new FuzzyTexts(window.space, splitter, { normalized: false, hasSurrogates: false })
    const judge: Judge = (count, position) => this.#read(count, position)
    this.#reading = new StreamDeduplicator(window, splitter, { sink: { kept: () => {} }, judge })
  }

  get kept(): number {
    return this.#window.space.kernel.keptCount()
  }

  get removed(): number {
    return this.#window.space.kernel.removedCount()
  }

  push(bytes: Uint8Array): void {
    // `slice` would not copy a Buffer of Node.js.
    this.#files.at(-1)?.push(new Uint8Array(bytes))
    this.#reading.push(bytes)
    this.#count()
  }

  endFile(): void {
    this.#reading.endFile()
    this.#count()
    this.#files.push([])
  }

  end(): void {
    for (const _ of this.ending());
  }

  *ending(): Generator<void> {
    this.#reading.end()
    const survivors = this.#survivors()
    const judge: Judge = (count, position) => this.#decide(count, position, survivors)
    const deduplicator = new StreamDeduplicator(this.#window, this.#splitter, { sink: this.#sink, judge })
    for (const file of this.#files) {
      for (const bytes of file) {
        deduplicator.push(bytes)
        yield
      }
      deduplicator.endFile()
    }
    deduplicator.end()
  }

  /** Collects the texts to compare. Not done earlier, because the columns may depend on the header. */
  #read(count: number, position: number): void {
    const { words } = this.#window.space
    this.#splitter.setKeys(count)
    for (let index = 0; index < count; index++) {
      const item = this.#window.space.item(index)
      if (words[item + ITEM.verdict] !== VERDICT.open) continue
      this.#rows.push(position + index)
      this.#texts.take(item)
    }
    this.#rowCount = position + count
  }

  #count(): void {
    this.withKey = this.#reading.withKey
    this.emptyKeys = this.#reading.emptyKeys
  }

  #survivors(): Int32Array {
    const { survivorOf } = this.#judgeKeys(this.#texts.texts)
    const survivors = Int32Array.from({ length: this.#rowCount }, (_, row) => row)
    for (const [text, row] of this.#rows.entries()) survivors[row] = this.#rows[survivorOf[text] ?? text] ?? row
    return survivors
  }

  #decide(count: number, position: number, survivors: Int32Array): void {
    const { kernel, bytes, items, keys } = this.#window.space
    // The room for keys is free: no more keys are made.
    new Int32Array(bytes.buffer, keys, count).set(survivors.subarray(position, position + count))
    kernel.decide(items, count, position, keys)
  }
}
