/** Keys are kept in blocks of this size, a longer key in a block of its own. */
const BLOCK_BYTES = 4_194_304
const LENGTH_BYTES = 4
/** A place is the block's number times this, plus the offset in the block. */
const PLACES_PER_BLOCK = 2 ** 32

/** Keys kept byte for byte, 4 bytes more than their length each, and found again by their place. */
export class KeptKeys {
  readonly #blocks: Uint8Array[] = []
  #used = BLOCK_BYTES

  /** Keeps the bytes from `start` to `end` and returns their place. */
  keep(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    const needed = LENGTH_BYTES + length
    if (this.#used + needed > BLOCK_BYTES) {
      this.#blocks.push(new Uint8Array(Math.max(BLOCK_BYTES, needed)))
      this.#used = 0
    }
    const offset = this.#used
    const block = this.#blocks.at(-1) ?? new Uint8Array()
    new DataView(block.buffer).setUint32(offset, length)
    block.set(bytes.subarray(start, end), offset + LENGTH_BYTES)
    this.#used += needed
    return (this.#blocks.length - 1) * PLACES_PER_BLOCK + offset
  }

  /** Is the key at `place` the bytes from `start` to `end`? */
  equals(place: number, bytes: Uint8Array, start: number, end: number): boolean {
    const block = this.#blocks[Math.floor(place / PLACES_PER_BLOCK)] ?? new Uint8Array()
    const offset = place % PLACES_PER_BLOCK
    const length = end - start
    if (new DataView(block.buffer).getUint32(offset) !== length) return false
    const key = offset + LENGTH_BYTES
    for (let i = 0; i < length; i++) if (block[key + i] !== bytes[start + i]) return false
    return true
  }
}
