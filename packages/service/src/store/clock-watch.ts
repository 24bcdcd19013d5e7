import type { Clock } from './clock.ts'
import { HOUR_MS } from './periods.ts'

/** A wall clock that deviates from a monotonic clock by more than this has jumped. */
const JUMP_MS = 60_000
/** How long a clock is distrusted after a jump. */
const DOUBT_MS = HOUR_MS

/**
 * Tells whether the wall clock can be trusted when it says that something is old enough to be dropped. A clock that
 * jumps ahead and back would otherwise end days and budgets early.
 */
export class ClockWatch {
  readonly #clock: Clock
  #offsetMs: number
  #jumpedAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetMs = clock.now() - clock.monotonicMs()
  }

  /** Must be called regularly, because jumps are only noticed when it is called. */
  isTrusted(): boolean {
    const monotonicMs = this.#clock.monotonicMs()
    const offsetMs = this.#clock.now() - monotonicMs
    if (Math.abs(offsetMs - this.#offsetMs) > JUMP_MS) this.#jumpedAt = monotonicMs
    this.#offsetMs = offsetMs
    return monotonicMs - this.#jumpedAt >= DOUBT_MS
  }
}
