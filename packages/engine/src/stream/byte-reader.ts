/** Reads bytes that arrive in chunks of any size. */
export class ByteReader {
  readonly #chunks: Iterator<Uint8Array>
  #chunk: Uint8Array = new Uint8Array()
  #at = 0

  constructor(chunks: Iterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.iterator]()
  }

  /**
   * Fills `to` with the next bytes.
   * @returns false, with nothing filled, at the end
   * @throws RangeError when the input ends before `to` is full
   */
  fill(to: Uint8Array): boolean {
    for (let filled = 0; filled < to.length; ) {
      if (this.#at === this.#chunk.length && !this.#next()) {
        if (filled > 0) throw new RangeError('the bytes end too early')
        return false
      }
      const part = this.#chunk.subarray(this.#at, this.#at + to.length - filled)
      to.set(part, filled)
      filled += part.length
      this.#at += part.length
    }
    return true
  }

  #next(): boolean {
    const next = this.#chunks.next()
    if (next.done) return false
    this.#chunk = next.value
    this.#at = 0
    return true
  }
}
