import type { CallMode } from './modes.ts'
import type { AccountPlan } from './plans.ts'

/*
 * What the page `/app/keys` and the server say to each other, all of it under `/app/`. No promise to
 * anyone else: programs use the API. Instants are ISO 8601 in UTC, days `YYYY-MM-DD`, months `YYYY-MM`.
 */

/** What the pages know of the server that they come from. */
export interface SiteFacts {
  readonly baseUrl: string
  /** How to reach the operator: an email address, a web address or a sentence. */
  readonly contact: string | null
  /** Where the operator's imprint and terms stand. */
  readonly legalUrl: string | null
  /** What is stored about people who use it. */
  readonly stored: readonly StoredView[]
}

/** One kind of thing that is stored, in words for those whom it concerns. */
export interface StoredView {
  readonly what: string
  readonly detail: string
  readonly kept: string
}

/** `GET /app/session`: how the page begins, signed in or not. */
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
  /** Its owner took it over with the operator's one-time link; false: nobody knows whose the address is. */
  readonly verified: boolean
}

/** `GET /app/account/keys`: newest first, revoked ones too. */
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

/** `POST /app/account/keys` with `{ name }`: the one and only time that the token is told. */
export interface KeyMadeAnswer {
  readonly key: KeyView
  readonly token: string
}

/** `GET /app/account/usage?month=`: the account's month. */
export interface UsageAnswer {
  readonly month: string
  readonly used: number
  readonly limit: number
  /** When the allowance is whole again. */
  readonly resets: string
  /** Oldest first, one entry a day and mode; days without calls are absent. */
  readonly days: readonly DayView[]
  /** The month by key, most units first; keys without calls are absent. */
  readonly keys: readonly KeyUsageView[]
  /** Today and the days before it (UTC), whatever month was asked for: what a plan has to bear. */
  readonly lastDays: { readonly days: number; readonly calls: number; readonly units: number }
}

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
 * `GET /app/account/calls?month=&key=&status=`: the latest ones that match, newest first. `key` is a key's identifier,
 * `status` one of {@link CALL_STATUSES} or a status of HTTP. `GET /app/account/calls.csv` with the same filter gives the
 * whole month as a file, oldest first.
 */
export interface CallsAnswer {
  readonly calls: readonly CallView[]
  /** There are older ones, which the file holds. */
  readonly more: boolean
}

/** Answered: 2xx. Refused: 400 to 498. Failed: from 499 on. Open: under way, or interrupted. */
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
  /** `null`: under way, or interrupted by a crash. */
  readonly status: number | null
  readonly durationMs: number | null
}

/**
 * `POST /app/auth/claim` with `{ token, password }`: the address to sign in with from now on. Sessions, the password
 * and keys that a sign-up made before have ended.
 */
export interface ClaimAnswer {
  readonly email: string
}

/** Why the page did not get what it asked for; the words for people are the page's. */
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
  /** `invalid input`: which member. */
  readonly field?: string
  /** `too many attempts`: whole seconds. */
  readonly retryAfter?: number
}

/** Bounds of what people type, in UTF-16 code units; the page and the server both hold to them. */
export const FIELD_LIMITS = {
  email: 254,
  passwordLeast: 8,
  passwordMost: 128,
  keyName: 100,
} as const
