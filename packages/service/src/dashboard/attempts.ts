/** How often one caller may try something: fixed windows that open with the first attempt. */
export interface AttemptRule {
  readonly attempts: number
  readonly windowSeconds: number
}

interface Window {
  readonly endsAt: number
  taken: number
}

/** Callers that are remembered at once; beyond it those that came first are forgotten (memory stays bounded). */
const CALLERS = 100_000

/** Counts attempts by caller, in the memory of this instance. */
export class Attempts {
  readonly #rule: AttemptRule
  readonly #windows = new Map<string, Window>()

  constructor(rule: AttemptRule) {
    this.#rule = rule
  }

  /**
   * Takes one attempt of a caller's window.
   * @param now milliseconds since 1970 UTC
   * @returns 0, or whole seconds (at least 1) until the window ends when none is left
   */
  take(caller: string, now: number): number {
    const window = this.#windows.get(caller)
    if (window !== undefined && now < window.endsAt) {
      if (window.taken >= this.#rule.attempts) return Math.max(1, Math.ceil((window.endsAt - now) / 1_000))
      window.taken++
      return 0
    }
    this.#windows.delete(caller) // so that a new window stands last
    if (this.#windows.size >= CALLERS) this.#forgetOldest()
    this.#windows.set(caller, { endsAt: now + this.#rule.windowSeconds * 1_000, taken: 1 })
    return 0
  }

  /** Windows are all of one length and stand in the order of their beginning: the first one ends first. */
  #forgetOldest(): void {
    const oldest = this.#windows.keys().next()
    if (!oldest.done) this.#windows.delete(oldest.value)
  }
}
