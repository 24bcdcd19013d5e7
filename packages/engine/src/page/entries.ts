import { ITEM, type Space } from '../core/space.ts'
import type { ByteRange } from './source.ts'

const FIRST_ENTRIES = 1_024

/** Where each entry of a list is in its source, and its survivor: 16 bytes per entry. */
export class Entries {
  count = 0
  #starts = new Float64Array(FIRST_ENTRIES)
  #lengths = new Uint32Array(FIRST_ENTRIES)
  #survivors = new Int32Array(FIRST_ENTRIES)

  /**
   * Adds the first `count` items of the space, which have been judged. `shift` turns an address into a position in the
   * source.
   */
  take(space: Space, count: number, shift: number): void {
    while (this.count + count > this.#survivors.length) this.#grow()
    const { words } = space
    for (let index = 0; index < count; index++) {
      const item = space.item(index)
      const start = words[item + ITEM.start] ?? 0
      this.#starts[this.count + index] = start + shift
      this.#lengths[this.count + index] = (words[item + ITEM.end] ?? 0) - start
      this.#survivors[this.count + index] = space.survivorOf(item)
    }
    this.count += count
  }

  /** The survivor of each entry. */
  survivors(): Int32Array {
    return this.#survivors.slice(0, this.count)
  }

  range(entry: number): ByteRange {
    const start = this.#starts[entry] ?? 0
    return { start, end: start + (this.#lengths[entry] ?? 0) }
  }

  #grow(): void {
    const size = 2 * this.#survivors.length
    const starts = new Float64Array(size)
    starts.set(this.#starts)
    const lengths = new Uint32Array(size)
    lengths.set(this.#lengths)
    const survivors = new Int32Array(size)
    survivors.set(this.#survivors)
    this.#starts = starts
    this.#lengths = lengths
    this.#survivors = survivors
  }
}
