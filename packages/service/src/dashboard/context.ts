import type { RandomBytes } from '../store/identifiers.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { AuthService } from './auth-service.ts'
import type { HashingQueue } from './hashing-queue.ts'
import type { SignInLimiter } from './sign-in-limiter.ts'

/** The operator's settings that the dashboard needs. */
export interface DashboardSettings {
  /** The public address without a trailing slash. */
  readonly baseUrl: string
  readonly signup: 'open' | 'closed'
  /** How to ask for another plan. */
  readonly contact: string | undefined
  /** URL of the operator's legal notice and terms. */
  readonly legalUrl: string | undefined
  /** How long individual calls are kept. */
  readonly eventDays: number
  readonly tokenPrefix: string
}

/** Dependencies of the dashboard's routes. */
export interface DashboardContext {
  readonly settings: DashboardSettings
  readonly store: Store
  readonly database: Pick<OpenDatabase, 'kysely' | 'kind' | 'reports'>
  readonly authService: AuthService
  readonly limiter: SignInLimiter
  /** Runs everything that hashes a password. */
  readonly hashing: HashingQueue
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
  readonly randomBytes: RandomBytes
}
