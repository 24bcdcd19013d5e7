import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { FairSemaphore } from '../limits/fair-semaphore.ts'
import type { Database } from './database.ts'
import { type FindHolder, findHoldersBy, HOLDERS } from './find-holder.ts'
import type { BatchAnswer, LedgerBatch, LedgerDriver } from './ledger-driver.ts'
import type { Schema } from './schema.ts'
import { SqliteChannel } from './sqlite-channel.ts'
import { faultOf } from './sqlite-connection.ts'
import { SqliteDialect } from './sqlite-dialect.ts'
import { openForReading, type SqliteDatabase } from './sqlite-driver.ts'
import type { SqliteExecutor } from './sqlite-thread-protocol.ts'

/** The longest that a look-up on the event loop waits for a checkpoint that resets the log. */
const LOOKUP_BUSY_MS = 100
/** The most keys per query, so that the first of many that arrive together are looked up while others are parsed. */
const MAX_LOOKUPS = 16

/**
 * Opens the database file; creates it, readable only by this user, and its folder if necessary.
 * @throws Error when the file cannot be created or opened, or is not a database
 */
export async function openSqlite(path: string): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  const writer = new SqliteChannel({ path, isReadOnly: false })
  try {
    await writer.opened
  } catch (error) {
    await writer.abandon()
    throw error
  }
  return new DatabaseOverSqlite({
    writer,
    openReports: () => new SqliteChannel({ path, isReadOnly: true }),
    openLookups: () => openForReading(path, LOOKUP_BUSY_MS),
  })
}

export interface SqliteParts {
  readonly writer: SqliteExecutor
  /** Called for the first report. */
  readonly openReports: () => SqliteExecutor
  /** A connection in this thread, opened for the first look-up: reads take microseconds and do not wait for writers. */
  readonly openLookups: () => SqliteDatabase
}

/** A `Database` over connections to one SQLite database. */
export class DatabaseOverSqlite implements Database {
  readonly kind = 'sqlite'
  readonly ledger: LedgerDriver
  readonly kysely: Kysely<Schema>
  readonly reports: Kysely<Schema>
  readonly findHolder: FindHolder
  readonly #parts: SqliteParts
  /** Held by the current writer, so that an interactive transaction and a batch of the ledger never interleave. */
  readonly #mutex = new FairSemaphore(1)
  #reports: SqliteExecutor | undefined
  #lookups: { readonly database: SqliteDatabase; readonly find: StatementSync } | undefined
  #isClosed = false

  constructor(parts: SqliteParts) {
    this.#parts = parts
    this.ledger = new SqliteLedgerDriver(parts.writer, this.#mutex)
    this.kysely = new Kysely({ dialect: new SqliteDialect(() => parts.writer, this.#mutex) })
    this.reports = new Kysely({ dialect: new SqliteDialect(() => this.#getReports(), new FairSemaphore(1)) })
    this.findHolder = findHoldersBy(async (hashes) => {
      try {
        return this.#getLookups().find.all(JSON.stringify(hashes))
      } catch (error) {
        throw faultOf(error)
      }
    }, MAX_LOOKUPS)
  }

  withoutTimeout<Result>(work: (kysely: Kysely<Schema>) => Promise<Result>): Promise<Result> {
    return work(this.kysely)
  }

  /** All days are in one table. */
  async maintainPartitions(): Promise<void> {}

  /** Deleted cells are overwritten in the file's pages (`secure_delete`), but the log still contains them. */
  async scrub(): Promise<void> {
    await sql`pragma wal_checkpoint(truncate)`.execute(this.kysely)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.kysely.destroy()
    await this.reports.destroy()
    const release = await this.#mutex.acquire()
    try {
      this.#lookups?.database.close()
      await this.#reports?.close()
      await this.#parts.writer.close()
    } finally {
      release()
    }
  }

  #getReports(): SqliteExecutor {
    if (this.#isClosed) throw new Error('the database is closed')
    this.#reports ??= this.#parts.openReports()
    return this.#reports
  }

  #getLookups() {
    if (this.#isClosed) throw new Error('the database is closed')
    if (this.#lookups === undefined) {
      const database = this.#parts.openLookups()
      this.#lookups = { database, find: database.prepare(`${HOLDERS} and k.hash in (select value from json_each(?))`) }
    }
    return this.#lookups
  }
}

class SqliteLedgerDriver implements LedgerDriver {
  readonly concurrency = 1
  readonly #writer: SqliteExecutor
  readonly #mutex: FairSemaphore

  constructor(writer: SqliteExecutor, mutex: FairSemaphore) {
    this.#writer = writer
    this.#mutex = mutex
  }

  async write(batch: LedgerBatch): Promise<BatchAnswer> {
    const release = await this.#mutex.acquire()
    try {
      return (await this.#writer.ask({ kind: 'write', batch: JSON.stringify(batch) }, 'written')).answer
    } finally {
      release()
    }
  }

  async settle({ id, at }: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'> {
    const release = await this.#mutex.acquire()
    try {
      return (await this.#writer.ask({ kind: 'settle', batch: { id, at } }, 'settled')).answer
    } finally {
      release()
    }
  }
}
