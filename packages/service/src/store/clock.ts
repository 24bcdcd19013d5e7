/** What the store needs of time. The system's own in life; simulations and tests bring theirs. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. It may jump. */
  now(): number
  /** Milliseconds that only go forward, from any beginning. */
  monotonicMs(): number
  /** Runs `work` once after that many milliseconds. Returns what cancels it. */
  after(delayMs: number, work: () => void): () => void
  /** Runs `work` once this turn of the event loop is over. */
  soon(work: () => void): void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs)
    return () => clearTimeout(timer)
  },
  soon: (work) => void setImmediate(work),
}

/** Resolves after that many milliseconds. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
