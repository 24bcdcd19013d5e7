import type { Log } from '../observe/log.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { People } from './people.ts'

/** What the dashboard needs to know of the operator's settings. */
export interface DashboardSettings {
  /** Public address without a slash at its end. */
  readonly baseUrl: string
  readonly signup: 'open' | 'closed'
  /** How people ask for another plan. */
  readonly contact: string | undefined
  readonly tokenPrefix: string
}

/** What the dashboard's routes work with. */
export interface Desk {
  readonly settings: DashboardSettings
  readonly store: Store
  readonly database: Pick<OpenDatabase, 'kysely' | 'kind'>
  readonly people: People
  readonly log: Log
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}
