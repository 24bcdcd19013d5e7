/** The number of tenants to remember; beyond that, the one with the oldest timeout is forgotten. */
const MAX_TENANTS = 10_000

interface TimeoutRecord {
  timeouts: number
  readonly lastAt: number
  readonly blockedUntil: number
}

/**
 * Runs that time out cost nothing, so a tenant whose runs time out repeatedly is slowed down: after the second one in a
 * row its next run waits as long as the last one ran, then twice as long, and so on up to a limit.
 */
export class TimeoutPenalty {
  readonly #maxWaitMs: number
  readonly #forgetMs: number
  /** In the order of the last timeout. */
  readonly #records = new Map<string, TimeoutRecord>()

  /** @param maxWaitMs the longest wait; a tenant without timeouts for ten times as long starts over */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
    this.#forgetMs = 10 * maxWaitMs
  }

  /** A run of this tenant timed out after this long. */
  timedOut(tenant: string, ranMs: number, now: number): void {
    const timeouts = (this.#recall(tenant, now)?.timeouts ?? 0) + 1
    const waitMs = timeouts < 2 ? 0 : Math.min(this.#maxWaitMs, ranMs * 2 ** (timeouts - 2))
    this.#records.delete(tenant)
    this.#records.set(tenant, { timeouts, lastAt: now, blockedUntil: now + waitMs })
    const [oldest] = this.#records.keys()
    if (oldest !== undefined && this.#records.size > MAX_TENANTS) this.#records.delete(oldest)
  }

  /** The earliest start for a run of this tenant, in milliseconds of the same clock as `now`. */
  earliestFor(tenant: string, now: number): number {
    return this.#recall(tenant, now)?.blockedUntil ?? 0
  }

  #recall(tenant: string, now: number): TimeoutRecord | undefined {
    const record = this.#records.get(tenant)
    return record !== undefined && now < record.lastAt + this.#forgetMs ? record : undefined
  }
}
