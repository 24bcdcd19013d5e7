import type { AccountPlan, CallMode } from '@keepfirst/protocol'
import type { Generated } from 'kysely'
import type { AccountMaker, KeyMaker } from './store.ts'

/*
 * The tables as `migrations/` makes them. Times are milliseconds since 1970 UTC, months `YYYY-MM`,
 * days `YYYY-MM-DD`. The tables of people and sessions are better-auth's business, and named `auth_…` too.
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

/** The counter of an account's month: at every commit the sum of the units of its events and day sums. */
export interface UsageMonthsTable {
  account_id: string
  month: string
  used: number
}

/** One row a keyed call that got past the verification of its key. */
export interface UsageEventsTable {
  id: Generated<number>
  /** Made by the program that charged; null for refused calls. */
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

/** Calls that no longer stand singly. Here '' stands for no mode and 0 for no status: both are part of the key. */
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
 * Sums of the calls that stand singly, kept by triggers: whoever writes or removes an event leaves them right. Like
 * those of days, '' stands for no mode.
 */
export interface UsageSumsTable {
  account_id: string
  key_id: string
  day: string
  mode: CallMode | ''
  /** What calls came with, and what changed of it since (below zero where events went). They are added up. */
  phase: 'added' | 'changed'
  calls: number
  rows: number
  removed: number
  units: number
  refused: number
}

/** What a network address has used of its day without a key. */
export interface KeylessDaysTable {
  day: string
  /** Keyed hash of the address. */
  client: string
  used: number
}

/** The one-time link with which an account can be claimed; a further one takes its place. */
export interface AuthClaimsTable {
  account_id: string
  /** SHA-256 of its secret. */
  hash: string
  expires_at: number
}

/** Batches of the last hour that were written, and what they answered: settles answers that were lost. */
export interface LedgerBatchesTable {
  at: number
  id: string
  /** Null: it was not written, and never will be. */
  answer: string | null
}

export interface SchemaMigrationsTable {
  number: number
  /** The oldest program that works after this step; null for steps from before this was written down. */
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
