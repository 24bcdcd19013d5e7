/** Smaller buffers are cheap enough to allocate each time. */
const MIN_BYTES = 64 * 1_024

/** Larger ones are not kept, because their memory would mostly be unused. */
const MAX_BYTES = 8 * 1_024 * 1_024

/** The most memory in unused buffers. */
const MAX_SPARE_BYTES = 32 * 1_024 * 1_024

/** Unused buffers are freed if none was used for this long. */
const IDLE_MS = 10_000

/**
 * Reuses buffers of large bodies and answers. Fresh ones cost more than the work on them: each page of memory is
 * cleared on first use, and V8 collects the whole heap after some 64 MB of them.
 */
export class BufferPool {
  /** The most recently used one is last. */
  #spare: ArrayBuffer[] = []
  #spareBytes = 0
  #idle: NodeJS.Timeout | undefined

  /** A buffer of at least this many bytes and less than twice as many. Its content is arbitrary. */
  take(bytes: number): ArrayBuffer {
    if (bytes < MIN_BYTES) return new ArrayBuffer(bytes)
    const fitting = this.#spare.findLastIndex(({ byteLength }) => byteLength >= bytes && byteLength < 2 * bytes)
    return this.#remove(fitting) ?? new ArrayBuffer(Math.ceil(bytes / MIN_BYTES) * MIN_BYTES)
  }

  /** Returns a buffer to the pool. It must not be used any more. */
  give(buffer: ArrayBuffer): void {
    const { byteLength } = buffer
    if (byteLength < MIN_BYTES || byteLength > MAX_BYTES) return
    this.#spare.push(buffer)
    this.#spareBytes += byteLength
    while (this.#spareBytes > MAX_SPARE_BYTES) this.#remove(0)
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
