import type { AccountPlan, CallMode } from '@keepfirst/protocol'
import type { Generated } from 'kysely'
import type { AccountMaker, KeyMaker } from './store.ts'

/*
 * The tables as created by `migrations/`. Times are milliseconds since 1970 UTC, months `YYYY-MM`, days `YYYY-MM-DD`.
 * The tables of users and sessions belong to better-auth and are named `auth_…` too.
 */

export interface AccountsTable {
  id: string
  email: string
  plan: AccountPlan
  created_at: number
  made_by: AccountMaker
  claimed_at: number | null
  deleted_at: number | null
}

export interface ApiKeysTable {
  id: string
  account_id: string
  name: string
  prefix: string
  hash: string
  created_at: number
  made_by: KeyMaker
  last_used_at: number | null
  revoked_at: number | null
}

/** The counter of an account's month: at every commit the sum of the units of its events and daily totals. */
export interface UsageMonthsTable {
  account_id: string
  month: string
  used: number
}

/** One row per call whose key was verified. */
export interface UsageEventsTable {
  id: Generated<number>
  /** Created by the program that charged; null for refused calls. */
  charge_id: string | null
  account_id: string
  key_id: string
  at: number
  mode: CallMode | null
  rows: number | null
  removed: number | null
  units: number
  status: number | null
  duration_ms: number | null
}

/**
 * Calls that are no longer stored individually. '' stands for no mode and 0 for no status, since both are part of the
 * key.
 */
export interface UsageDaysTable {
  account_id: string
  key_id: string
  day: string
  mode: CallMode | ''
  status: number
  calls: number
  rows: number
  removed: number
  units: number
}

/**
 * Totals of the calls that are stored individually, maintained by triggers, whichever program writes or removes an
 * event. As in the daily totals, '' stands for no mode.
 */
export interface UsageSumsTable {
  account_id: string
  key_id: string
  day: string
  mode: CallMode | ''
  /** Totals at the arrival of calls, and later changes (negative where events were removed). The two are added up. */
  phase: 'added' | 'changed'
  calls: number
  rows: number
  removed: number
  units: number
  refused: number
}

/** What a network address has used without a key today. */
export interface KeylessDaysTable {
  day: string
  /** Keyed hash of the address. */
  client: string
  used: number
}

/** The one-time link for claiming an account; a new one replaces it. */
export interface AuthClaimsTable {
  account_id: string
  /** SHA-256 of its secret. */
  hash: string
  expires_at: number
}

/** Batches of the last few hours and their answers, to settle lost answers. */
export interface LedgerBatchesTable {
  at: number
  id: string
  /** Null: it was not written, and never will be. */
  answer: string | null
}

export interface SchemaMigrationsTable {
  number: number
  /** The oldest program that works after this step; null for steps older than this column. */
  oldest_program: number | null
}

export interface Schema {
  accounts: AccountsTable
  api_keys: ApiKeysTable
  usage_months: UsageMonthsTable
  usage_events: UsageEventsTable
  usage_days: UsageDaysTable
  usage_sums: UsageSumsTable
  keyless_days: KeylessDaysTable
  auth_claims: AuthClaimsTable
  ledger_batches: LedgerBatchesTable
  schema_migrations: SchemaMigrationsTable
}
