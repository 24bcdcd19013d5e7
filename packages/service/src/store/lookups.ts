interface Waiting<Value> {
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Batches look-ups: keys that arrive during a query are looked up together in the next one. */
export class Lookups<Value> {
  readonly #query: (keys: readonly string[]) => Promise<ReadonlyMap<unknown, Value>>
  readonly #maxBatchSize: number
  readonly #waiting = new Map<string, Waiting<Value>[]>()
  #isQuerying = false

  /**
   * @param query finds several at once; keys that do not exist are left out of its result
   * @param maxBatchSize the most keys that one query looks up
   */
  constructor(query: (keys: readonly string[]) => Promise<ReadonlyMap<unknown, Value>>, maxBatchSize: number) {
    this.#query = query
    this.#maxBatchSize = maxBatchSize
  }

  find(key: string): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject }
      const known = this.#waiting.get(key)
      if (known === undefined) this.#waiting.set(key, [waiting])
      else known.push(waiting)
      if (!this.#isQuerying) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isQuerying = true
    while (this.#waiting.size > 0) {
      // After one turn of the event loop, so that requests that were read together are looked up together.
      await new Promise((resolve) => setImmediate(resolve))
      const batch = this.#takeFirst()
      try {
        const found = await this.#query([...batch.keys()])
        for (const [key, all] of batch) for (const { resolve } of all) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of [...batch.values()].flat()) reject(error)
      }
    }
    this.#isQuerying = false
  }

  /** Takes out the keys that have waited longest, as many as a query may look up. */
  #takeFirst(): ReadonlyMap<string, Waiting<Value>[]> {
    const first = new Map<string, Waiting<Value>[]>()
    for (const [key, all] of this.#waiting) {
      if (first.size >= this.#maxBatchSize) break
      first.set(key, all)
      this.#waiting.delete(key)
    }
    return first
  }
}
