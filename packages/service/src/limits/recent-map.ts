/** Entries per generation; two generations are kept, which bounds the memory. */
const ENTRIES = 50_000

/** A map that forgets its oldest entries beyond a bound of 50,000 to 100,000. */
export class RecentMap<Value> {
  // Removing entries one by one from the front of a Map is slow, because it walks over all previously removed ones.
  #older = new Map<string, Value>()
  #newer = new Map<string, Value>()

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
