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

/** Waits for a promise, but no longer than this many milliseconds; then resolves to `late`. */
export function withTimeout<Result>(
  promise: Promise<Result>,
  timeoutMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<Result | 'late'> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => resolve('late'))
    promise.finally(cancel).then(resolve, reject)
  })
}

/** Resolves after this many milliseconds. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve)
  })
}
