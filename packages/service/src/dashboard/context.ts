import type { Log } from '../observe/log.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { HashingQueue } from './hashing-queue.ts'
import type { People } from './people.ts'
import type { SignInLimiter } from './sign-in-limiter.ts'

/** What the dashboard needs to know of the operator's settings. */
export interface DashboardSettings {
  /** Public address without a slash at its end. */
  readonly baseUrl: string
  readonly signup: 'open' | 'closed'
  /** How people ask for another plan. */
  readonly contact: string | undefined
  /** Where the operator's imprint and terms stand. */
  readonly legalUrl: string | undefined
  /** How long single calls are kept. */
  readonly eventDays: number
  readonly tokenPrefix: string
}

/** What the dashboard's routes work with. */
export interface DashboardContext {
  readonly settings: DashboardSettings
  readonly store: Store
  readonly database: Pick<OpenDatabase, 'kysely' | 'kind' | 'reports'>
  readonly people: People
  readonly limiter: SignInLimiter
  /** Runs whatever hashes a password. */
  readonly hashing: HashingQueue
  readonly log: Log
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}
