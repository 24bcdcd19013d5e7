/** The store's view of time. The system's clock in production; simulations and tests substitute their own. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. May jump. */
  now(): number
  /** Monotonic milliseconds with an arbitrary start. */
  monotonicMs(): number
  /** Runs `work` once after this many milliseconds. Returns a function that cancels it. */
  after(delayMs: number, work: () => void): () => void
  /** Runs `work` once after the current turn of the event loop. */
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

/** Resolves after this many milliseconds. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
