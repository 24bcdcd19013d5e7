import { mulberry32 } from '../support/mulberry32.mjs'

/** A source of pseudo-random values, always the same for a seed. */
export class Random {
  /** A number from 0 (included) to 1 (excluded). */
  readonly next: () => number

  constructor(seed: number) {
    this.next = mulberry32(seed)
  }

  /** An integer between two bounds, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new Error('there is nothing to pick from')
    return item
  }

  /** An independent generator, so that the number of values drawn from one does not affect the other. */
  fork(): Random {
    return new Random(this.between(0, 4_294_967_295))
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.between(0, 255))
  }
}
