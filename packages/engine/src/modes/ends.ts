import type { Space } from '../core/space.ts'
import type { RequestData } from './mode.ts'

const END_BYTES = Uint32Array.BYTES_PER_ELEMENT

/** The ends of the entries of a list, out of the space; undefined if they take more memory than the list. */
export function copyEnds(space: Space, ends: number, count: number, list: Uint8Array): RequestData['ends'] {
  return END_BYTES * count > list.length ? undefined : space.words.slice(ends / END_BYTES, ends / END_BYTES + count)
}

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
    const at = this.#at + END_BYTES * this.#taken
    const count = Math.min(limit, this.#count - this.#taken)
    this.#taken += count
    return { at, count }
  }
}
