import type { Kysely } from 'kysely'
import type { FindHolder } from './find-holder.ts'
import type { LedgerDriver } from './ledger-driver.ts'
import type { ConnectionCounts } from './postgres-connections.ts'
import type { Schema } from './schema.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

export interface PartitionMaintenance {
  readonly now: number
  /** The start of a day. */
  readonly eventsBefore: number
  /** Whether to go on; called before each piece of work. */
  readonly shouldContinue: () => boolean
}

/** What a database has to provide for a store. */
export interface Database {
  readonly kind: DatabaseKind
  readonly ledger: LedgerDriver
  /** For everything that is not needed by every request. On SQLite this is the only writer. */
  readonly kysely: Kysely<Schema>
  /** Read-only, with its own connection, so that nobody else waits for a report. */
  readonly reports: Kysely<Schema>
  /** Undefined if there is no connection pool. */
  readonly connections?: ConnectionCounts
  /** Never waits for a write. */
  readonly findHolder: FindHolder
  /** Runs work without a time limit, such as migrations. */
  withoutTimeout<Result>(work: (kysely: Kysely<Schema>) => Promise<Result>): Promise<Result>
  /** Prepares storage for the events of coming days and drops old days, where days are stored separately. */
  maintainPartitions(options: PartitionMaintenance): Promise<void>
  /** Removes deleted data from the files too, as far as the database allows that. */
  scrub(): Promise<void>
  close(): Promise<void>
}
