import { ITEM, type Space } from '../core/space.ts'
import type { Stretch } from './source.ts'

const FIRST_ENTRIES = 1_024

/** Where the entries of a list stand in their source, and what stands for each: 16 bytes an entry. */
export class Entries {
  count = 0
  #starts = new Float64Array(FIRST_ENTRIES)
  #lengths = new Uint32Array(FIRST_ENTRIES)
  #survivors = new Int32Array(FIRST_ENTRIES)

  /** Takes in the first `count` items of the space, which have their verdicts. `shift`: from an address to its place. */
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

  /** The entry that stands for each one. */
  survivors(): Int32Array {
    return this.#survivors.slice(0, this.count)
  }

  stretch(entry: number): Stretch {
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
