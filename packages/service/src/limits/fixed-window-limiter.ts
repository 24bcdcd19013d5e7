import type { BurstLimit } from '@keepfirst/protocol'

interface Window {
  startedAt: number
  windowSeconds: number
  taken: number
}

/** Keys counted at the same time; beyond that, the oldest windows are evicted. */
const MAX_WINDOWS = 100_000
/** How many are evicted at once, so that a full table is not searched on every request. */
const EVICTED_AT_ONCE = MAX_WINDOWS / 10

/**
 * Fixed windows in memory, one per key (specification 8.3). A window opens with the first accepted request. When a
 * key's limit changes, an open window keeps its start and takes the new terms. Best effort by design: windows belong to
 * one instance, end with it, and are limited in number.
 */
export class FixedWindowLimiter {
  /** In order of opening. */
  readonly #windows = new Map<string, Window>()
  readonly #maxWindows: number
  readonly #evictedAtOnce: number

  constructor(maxWindows: number = MAX_WINDOWS, evictedAtOnce: number = EVICTED_AT_ONCE) {
    this.#maxWindows = maxWindows
    this.#evictedAtOnce = evictedAtOnce
  }

  /** Whole seconds until `key` has room for a request (at least 1), or 0 if it has room now. Counts nothing. */
  secondsToWait(key: string, limit: BurstLimit, at: number): number {
    const window = this.#running(key, limit, at)
    if (window === undefined || window.taken < limit.requests) return 0
    return Math.max(1, Math.ceil((window.startedAt - at) / 1_000 + limit.windowSeconds))
  }

  /** Counts one request of `key`; if its window is full, returns false and counts nothing. */
  take(key: string, limit: BurstLimit, at: number): boolean {
    const window = this.#running(key, limit, at)
    if (window === undefined) {
      this.#makeRoom(at)
      this.#windows.set(key, { startedAt: at, windowSeconds: limit.windowSeconds, taken: 1 })
      return true
    }
    if (window.taken >= limit.requests) return false
    window.taken += 1
    return true
  }

  /** Undoes one `take`. */
  release(key: string): void {
    const window = this.#windows.get(key)
    if (window === undefined) return
    window.taken -= 1
    if (window.taken === 0) this.#windows.delete(key)
  }

  /** Removes all windows that have ended. */
  dropEnded(at: number): void {
    for (const [key, window] of this.#windows) {
      if (at >= window.startedAt + window.windowSeconds * 1_000) this.#windows.delete(key)
    }
  }

  /** The window of `key` if it is open at that time, adjusted to `limit`. */
  #running(key: string, limit: BurstLimit, at: number): Window | undefined {
    const window = this.#windows.get(key)
    if (window === undefined) return undefined
    // Setting the clock back must not prolong a window.
    window.startedAt = Math.min(window.startedAt, at)
    const windowSeconds = Math.min(window.windowSeconds, limit.windowSeconds)
    if (at >= window.startedAt + windowSeconds * 1_000) {
      this.#windows.delete(key)
      return undefined
    }
    window.windowSeconds = limit.windowSeconds
    return window
  }

  #makeRoom(at: number): void {
    if (this.#windows.size < this.#maxWindows) return
    this.dropEnded(at)
    const target = this.#maxWindows - this.#evictedAtOnce
    for (const key of this.#windows.keys()) {
      if (this.#windows.size <= target) break
      this.#windows.delete(key)
    }
  }
}
