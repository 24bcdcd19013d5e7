/** How often one caller may try something: fixed windows that open with the first attempt. */
export interface AttemptRule {
  readonly attempts: number
  readonly windowSeconds: number
}

interface Window {
  readonly endsAt: number
  taken: number
}

/** Callers of one generation; two are remembered, so that memory stays bounded. */
const CALLERS = 50_000

/** Counts attempts by caller, in the memory of this instance. */
export class Attempts {
  readonly #rule: AttemptRule
  // Forgetting callers one by one from the front of a Map is slow: it walks over all that were taken out before.
  #older = new Map<string, Window>()
  #newer = new Map<string, Window>()

  constructor(rule: AttemptRule) {
    this.#rule = rule
  }

  /**
   * Takes one attempt of a caller's window.
   * @param now milliseconds since 1970 UTC
   * @returns 0, or whole seconds (at least 1) until the window ends when none is left
   */
  take(caller: string, now: number): number {
    const window = this.#newer.get(caller) ?? this.#older.get(caller)
    if (window !== undefined && now < window.endsAt) {
      if (window.taken >= this.#rule.attempts) return Math.max(1, Math.ceil((window.endsAt - now) / 1_000))
      window.taken++
      return 0
    }
    if (this.#newer.size >= CALLERS) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    this.#newer.set(caller, { endsAt: now + this.#rule.windowSeconds * 1_000, taken: 1 })
    return 0
  }

  /** How many callers are remembered at the moment. */
  get callers(): number {
    return this.#older.size + this.#newer.size
  }
}
