import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'

/** What every request needs at hand; wired once in `main.ts`. */
export interface Desk {
  readonly store: Store
  readonly baseUrl: string
  /** Keys the hash that stands for a network address. */
  readonly addressSecret: Uint8Array
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly log: Log
  /** Told of every call that ended, for metrics. */
  readonly observe: (ended: Ended) => void
}

/** What logs and metrics may know of a call. */
export interface Ended {
  readonly path: string
  readonly plan: string
  readonly status: number
  /** Units that stay charged. */
  readonly units: number
  readonly durationMs: number
}
