import type { Log } from '../observe/log.ts'
import type { CallSummary } from '../observe/metrics.ts'
import type { Store } from '../store/store.ts'

/** What every request needs at hand; wired once in `serve.ts`. */
export interface Context {
  readonly store: Store
  readonly baseUrl: string
  /** Keys the hash that stands for a network address. */
  readonly addressSecret: Uint8Array
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  /** Milliseconds that only ever grow, for durations. */
  readonly monotonicMs: () => number
  readonly log: Log
  /** Told of every call that ended, for metrics. */
  readonly observe: (call: CallSummary) => void
}
