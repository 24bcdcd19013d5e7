import type { CallMode } from './modes.ts'
import type { AccountPlan } from './plans.ts'

/*
 * What the page `/app/keys` and the server exchange, all of it under `/app/`. This is internal: programs use the API.
 * Instants are ISO 8601 in UTC, days `YYYY-MM-DD`, months `YYYY-MM`.
 */

/** What the pages know about the server that serves them. */
export interface SiteFacts {
  readonly baseUrl: string
  /** How to reach the operator: an email address, a web address or a sentence. */
  readonly contact: string | null
  /** URL of the operator's legal notice and terms. */
  readonly legalUrl: string | null
  /** What is stored about users. */
  readonly stored: readonly StoredView[]
}

/** One kind of stored data, described for the people it concerns. */
export interface StoredView {
  readonly what: string
  readonly detail: string
  readonly kept: string
}

/** `GET /app/session`: the page's initial state, signed in or not. */
export interface SessionAnswer {
  readonly account: AccountView | null
  readonly signUp: 'open' | 'closed'
  /** How to ask for another plan: an email address, a web address or a sentence. */
  readonly contact: string | null
  readonly baseUrl: string
}

export interface AccountView {
  readonly email: string
  readonly plan: AccountPlan
  readonly createdAt: string
  /**
   * The owner claimed the account with the operator's one-time link. While false, nobody has proved that the address is
   * theirs.
   */
  readonly verified: boolean
}

/** `GET /app/account/keys`: newest first, including revoked ones. */
export interface KeysAnswer {
  readonly keys: readonly KeyView[]
}

export interface KeyView {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

/** `POST /app/account/keys` with `{ name }`: the only time that the token is shown. */
export interface KeyMadeAnswer {
  readonly key: KeyView
  readonly token: string
}

/** `GET /app/account/usage?month=`: the account's month. */
export interface UsageAnswer {
  readonly month: string
  readonly used: number
  readonly limit: number
  /** When the allowance is reset. */
  readonly resets: string
  /** Oldest first, one entry per day and mode; days without calls are absent. */
  readonly days: readonly DayView[]
  /** The month by key, most units first; keys without calls are absent. */
  readonly keys: readonly KeyUsageView[]
  /** The last `LAST_DAYS` (UTC), whichever month was asked for: the load that a plan has to carry. */
  readonly lastDays: { readonly calls: number; readonly units: number }
}

/** The number of days, ending today, whose usage is compared with plans: about a month. */
export const LAST_DAYS = 30

export interface KeyUsageView {
  readonly keyId: string
  readonly name: string
  readonly prefix: string
  readonly calls: number
  readonly refused: number
  readonly units: number
}

export interface DayView {
  readonly day: string
  /** `null`: refused before the mode was known. */
  readonly mode: CallMode | null
  readonly calls: number
  readonly refused: number
  readonly units: number
}

/**
 * `GET /app/account/calls?month=&key=&status=`: the latest matching calls, newest first. `key` is a key's identifier,
 * `status` one of {@link CALL_STATUSES} or an HTTP status. `GET /app/account/calls.csv` with the same filter downloads
 * the whole month, oldest first.
 */
export interface CallsAnswer {
  readonly calls: readonly CallView[]
  /** There are older ones; the CSV file has them all. */
  readonly more: boolean
}

/** Answered: 2xx. Refused: 400 to 498. Failed: 499 and above. Open: in progress or interrupted. */
export const CALL_STATUSES = ['answered', 'refused', 'failed', 'open'] as const
export type CallStatus = (typeof CALL_STATUSES)[number]

export interface CallView {
  readonly at: string
  readonly keyId: string
  readonly keyName: string
  readonly keyPrefix: string
  readonly mode: CallMode | null
  readonly rows: number | null
  readonly removed: number | null
  readonly units: number
  /** `null`: in progress, or interrupted by a crash. */
  readonly status: number | null
  readonly durationMs: number | null
}

/**
 * `POST /app/auth/claim` with `{ token, password }`: the address to sign in with from now on. Existing sessions, the
 * old password, and keys made by an earlier sign-up are revoked.
 */
export interface ClaimAnswer {
  readonly email: string
}

/** Why the page did not get what it asked for; the page chooses the wording for people. */
export type Problem =
  | 'invalid input'
  | 'common password'
  | 'signed out'
  | 'wrong credentials'
  | 'sign-up closed'
  | 'foreign origin'
  | 'not found'
  | 'key limit'
  | 'export under way'
  | 'link expired'
  | 'too many attempts'
  | 'internal error'
  | 'busy'

/** The body of every answer under `/app/` that is not 2xx. */
export interface ProblemAnswer {
  readonly error: Problem
  /** `invalid input`: the name of the member. */
  readonly field?: string
  /** `too many attempts`: in whole seconds. */
  readonly retryAfter?: number
}

/** Length limits for typed input in UTF-16 code units, enforced by the page and the server. */
export const FIELD_LIMITS = {
  /** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, including two angle brackets. */
  email: 254,
  passwordLeast: 8,
  passwordMost: 128,
  keyName: 100,
} as const
