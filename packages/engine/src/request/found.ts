import { Items, type JsonForm, type RowForm, Rows } from '../core/forms.ts'
import type { Space } from '../core/space.ts'

/** The ends of entries found when the list was parsed (`RequestData.ends`), read from first to last. */
export class Ends {
  /** Where the list begins. */
  readonly base: number
  readonly #at: number
  readonly #count: number
  #taken = 0

  constructor(space: Space, base: number, ends: Uint32Array<ArrayBuffer>) {
    this.base = base
    this.#at = space.place(new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength))
    this.#count = ends.length
  }

  /** The next ends, at most `limit`: their address and number. */
  take(limit: number): { at: number; count: number } {
    const at = this.#at + Uint32Array.BYTES_PER_ELEMENT * this.#taken
    const count = Math.min(limit, this.#count - this.#taken)
    this.#taken += count
    return { at, count }
  }
}

/** Rows that were found when the list was parsed. */
export class FoundRows extends Rows {
  readonly #space: Space
  readonly #ends: Ends

  constructor(space: Space, options: RowForm, ends: Ends) {
    super(space, options)
    this.#space = space
    this.#ends = ends
  }

  override split(limit: number, from: number, to: number): number {
    const { at, count } = this.#ends.take(limit)
    this.#space.kernel.splitFoundRows(this.#space.items, count, from, to, at, this.#ends.base)
    return count
  }
}

/** Whole items that were found when the list was parsed. */
export class FoundItems extends Items {
  readonly #space: Space
  readonly #ends: Ends

  constructor(space: Space, options: JsonForm, ends: Ends) {
    super(space, options)
    this.#space = space
    this.#ends = ends
  }

  override split(limit: number, from: number): number {
    const { kernel, items, keys } = this.#space
    const { at, count } = this.#ends.take(limit)
    kernel.splitFoundItems(items, count, from, at, this.#ends.base, keys)
    return count
  }
}
