import { RecentMap } from './recent-map.ts'

/**
 * How often a caller may try something. Growing waits instead of a hard limit, which would lock people out for good.
 */
export interface BackoffRule {
  /** Attempts without any wait. */
  readonly free: number
  /** The wait after the last of those; each further attempt doubles it. */
  readonly firstWaitSeconds: number
  /** Upper bound of the wait. */
  readonly longestWaitSeconds: number
  /** A caller without attempts for this long starts over. */
  readonly forgottenAfterSeconds: number
}

interface Tally {
  readonly taken: number
  /** When the last attempt was made. */
  at: number
}

/**
 * Counts attempts by caller in this instance's memory; each attempt beyond the free ones doubles the wait. Times are
 * milliseconds since 1970 UTC.
 */
export class BackoffLimiter {
  readonly #rule: BackoffRule
  readonly #tallies = new RecentMap<Tally>()

  constructor(rule: BackoffRule) {
    this.#rule = rule
  }

  /** Whole seconds (at least 1) that a caller has to wait, or 0. Does not count as an attempt. */
  secondsToWait(caller: string, now: number): number {
    const tally = this.#running(caller, now)
    return tally === undefined ? 0 : Math.max(0, Math.ceil((tally.at - now) / 1_000 + this.#waitAfter(tally.taken)))
  }

  /**
   * Counts one attempt of a caller unless it has to wait; refused attempts do not extend the wait.
   * @returns 0, or whole seconds (at least 1) until the next attempt is accepted
   */
  take(caller: string, now: number): number {
    const wait = this.secondsToWait(caller, now)
    if (wait > 0) return wait
    this.#tallies.set(caller, { taken: (this.#running(caller, now)?.taken ?? 0) + 1, at: now })
    return 0
  }

  /** Clears a caller's attempts. */
  forgive(caller: string): void {
    this.#tallies.delete(caller)
  }

  #waitAfter(taken: number): number {
    const { free, firstWaitSeconds, longestWaitSeconds } = this.#rule
    return taken < free ? 0 : Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (taken - free))
  }

  #running(caller: string, now: number): Tally | undefined {
    const tally = this.#tallies.get(caller)
    if (tally === undefined) return undefined
    // Setting the clock back must not prolong a wait.
    tally.at = Math.min(tally.at, now)
    const seconds = Math.max(this.#rule.forgottenAfterSeconds, this.#waitAfter(tally.taken))
    return now < tally.at + seconds * 1_000 ? tally : undefined
  }
}
