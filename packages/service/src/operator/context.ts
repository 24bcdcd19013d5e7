import type { RandomBytes } from '../store/identifiers.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Store } from '../store/store.ts'

/** What an operator's command works with; opened before and closed after it. */
export interface OperatorContext {
  readonly store: Store
  readonly kysely: OpenDatabase['kysely']
  readonly reports: OpenDatabase['reports']
  readonly baseUrl: string
  readonly tokenPrefix: string
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly randomBytes: RandomBytes
  readonly print: (text: string) => void
}
