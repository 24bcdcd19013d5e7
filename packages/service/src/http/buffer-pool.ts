/** Smaller ones are cheap enough to be made anew. */
const LEAST_BYTES = 64 * 1_024

/** Larger ones are not kept: they would hold memory that nobody uses. */
const MOST_BYTES = 8 * 1_024 * 1_024

/** All that wait to be used again, together. */
const SPARE_BYTES = 32 * 1_024 * 1_024

/** They are let go when none was used for this long. */
const IDLE_MS = 10_000

/**
 * Buffers of large bodies and answers, used again. Fresh ones cost more than what is done with them: each page of
 * memory is cleared at its first touch, and V8 collects the whole heap after some 64 MB of them.
 */
export class BufferPool {
  /** The one used last stands last. */
  #spare: ArrayBuffer[] = []
  #spareBytes = 0
  #idle: NodeJS.Timeout | undefined

  /** Memory that nobody uses at present. */
  get spareBytes(): number {
    return this.#spareBytes
  }

  /** A buffer of at least this many bytes and less than twice as many. Any bytes may stand in it. */
  take(bytes: number): ArrayBuffer {
    if (bytes < LEAST_BYTES) return new ArrayBuffer(bytes)
    const fitting = this.#spare.findLastIndex(({ byteLength }) => byteLength >= bytes && byteLength < 2 * bytes)
    return this.#remove(fitting) ?? new ArrayBuffer(Math.ceil(bytes / LEAST_BYTES) * LEAST_BYTES)
  }

  /** Takes a buffer back. Nobody may hold on to it. */
  give(buffer: ArrayBuffer): void {
    const { byteLength } = buffer
    if (byteLength < LEAST_BYTES || byteLength > MOST_BYTES) return
    this.#spare.push(buffer)
    this.#spareBytes += byteLength
    while (this.#spareBytes > SPARE_BYTES) this.#remove(0)
    this.#idle ??= setTimeout(() => this.#clear(), IDLE_MS).unref()
    this.#idle.refresh()
  }

  #remove(index: number): ArrayBuffer | undefined {
    const [buffer] = index < 0 ? [] : this.#spare.splice(index, 1)
    this.#spareBytes -= buffer?.byteLength ?? 0
    return buffer
  }

  #clear(): void {
    this.#spare = []
    this.#spareBytes = 0
  }
}
