import type { Clock } from './clock.ts'

/** A wall clock that moves by more than that beside a steady one has jumped. */
const JUMP_MS = 60_000
/** After a jump it is believed again once it has stood for this long. */
const DOUBT_MS = 3_600_000

/**
 * Tells whether the wall clock can be believed when it says that something is old enough to be dropped. A clock that
 * jumps ahead and back would otherwise end days and budgets that are not over.
 */
export class ClockWatch {
  readonly #clock: Clock
  #offsetMs: number
  #jumpedAt = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offsetMs = clock.now() - clock.monotonicMs()
  }

  /** To be asked regularly: a jump shows when the clock is looked at again. */
  isBelievable(): boolean {
    const monotonicMs = this.#clock.monotonicMs()
    const offsetMs = this.#clock.now() - monotonicMs
    if (Math.abs(offsetMs - this.#offsetMs) > JUMP_MS) this.#jumpedAt = monotonicMs
    this.#offsetMs = offsetMs
    return monotonicMs - this.#jumpedAt >= DOUBT_MS
  }
}
