import type { Kysely } from 'kysely'
import type { LedgerDriver } from './ledger-driver.ts'
import type { ConnectionCounts } from './postgres-connections.ts'
import type { Schema } from './schema.ts'
import type { KeyHolder } from './store.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

export interface RenewedDays {
  readonly now: number
  /** The start of a day. */
  readonly eventsBefore: number
  /** Asked before each piece of work. */
  readonly isWanted: () => boolean
}

/** What a database has to offer so that a store can be built on it. */
export interface Database {
  readonly kind: DatabaseKind
  readonly ledger: LedgerDriver
  /** For whatever is not on the way of every request. On SQLite it is the one writer. */
  readonly kysely: Kysely<Schema>
  /** Reads alone, through a connection of their own, so that nobody else waits for a report. */
  readonly reports: Kysely<Schema>
  /** Undefined where there is no pool of connections. */
  readonly connections?: ConnectionCounts
  /** Never waits for a write. */
  findHolder(tokenHash: string): Promise<KeyHolder | undefined>
  /** Runs work that may take as long as it takes: migrations. */
  patiently<Result>(work: (kysely: Kysely<Schema>) => Promise<Result>): Promise<Result>
  /** Makes room for the events of days to come, and lets those of days before that time go, where days stand apart. */
  renewDays(days: RenewedDays): Promise<void>
  /** Takes what was deleted out of the files too, as far as the database lets that be said. */
  scrub(): Promise<void>
  close(): Promise<void>
}
