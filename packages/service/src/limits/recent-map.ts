/** Entries of one generation; two are remembered, so that memory stays bounded. */
const ENTRIES = 50_000

/** A map that forgets: of what was set longest ago, beyond a bound of 50,000 to 100,000 entries. */
export class RecentMap<Value> {
  // Forgetting entries one by one from the front of a Map is slow: it walks over all that were taken out before.
  #older = new Map<string, Value>()
  #newer = new Map<string, Value>()

  get size(): number {
    return this.#older.size + this.#newer.size
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key)
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= ENTRIES && !this.#newer.has(key)) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(key, value)
  }

  delete(key: string): void {
    this.#older.delete(key)
    this.#newer.delete(key)
  }
}
