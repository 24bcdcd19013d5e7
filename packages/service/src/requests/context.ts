import type { Log } from '../observe/log.ts'
import type { CallSummary } from '../observe/metrics.ts'
import type { Store } from '../store/store.ts'

/** Dependencies of every request; created once in `serve.ts`. */
export interface Context {
  readonly store: Pick<Store, 'findHolder' | 'admit' | 'admitKeyless' | 'complete' | 'refund' | 'recordRefusal'>
  readonly baseUrl: string
  /** Keys the hash of network addresses. */
  readonly addressSecret: Uint8Array
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  /** A monotonic clock in milliseconds, for durations. */
  readonly monotonicMs: () => number
  readonly log: Log
  /** Called for every finished call, for metrics. */
  readonly observe: (call: CallSummary) => void
}
