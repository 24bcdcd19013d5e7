import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { Entry, Outcome } from './books.ts'
import type { Database } from './database.ts'
import { Lock } from './lock.ts'
import type { Schema } from './schema.ts'
import { SqliteChannel } from './sqlite-channel.ts'
import { SqliteThreadDialect } from './sqlite-dialect.ts'
import type { KeyHolder } from './store.ts'

/** Opens the database file; makes it when there is none, for this user alone, in a folder of its own. */
export async function openSqlite(path: string): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  const channel = new SqliteChannel({ path })
  try {
    await channel.opened
  } catch (error) {
    await channel.abandon()
    throw error
  }
  return new SqliteDatabase(channel)
}

class SqliteDatabase implements Database {
  readonly kind = 'sqlite'
  readonly kysely: Kysely<Schema>
  readonly #channel: SqliteChannel
  readonly #lock = new Lock()

  constructor(channel: SqliteChannel) {
    this.#channel = channel
    const dialect = new SqliteThreadDialect(async (sql, parameters) => {
      const { answer } = await channel.ask({ kind: 'query', sql, parameters }, 'queried')
      return answer
    }, this.#lock)
    this.kysely = new Kysely({ dialect })
  }

  async findHolder(tokenHash: string): Promise<KeyHolder | undefined> {
    const { holder } = await this.#channel.ask({ kind: 'find holder', tokenHash }, 'holder')
    return holder
  }

  async apply(entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const release = await this.#lock.acquire()
    try {
      const { outcomes } = await this.#channel.ask({ kind: 'apply', entries }, 'applied')
      return outcomes
    } finally {
      release()
    }
  }

  async dropEndedWindows(at: number): Promise<void> {
    await this.#channel.ask({ kind: 'drop ended windows', at }, 'done')
  }

  /** Deleted cells are overwritten in the file's pages (`secure_delete`); the log still has them as they were. */
  async scrub(): Promise<void> {
    await sql`pragma wal_checkpoint(truncate)`.execute(this.kysely)
  }

  async close(): Promise<void> {
    await this.kysely.destroy()
    const release = await this.#lock.acquire()
    try {
      await this.#channel.close()
    } finally {
      release()
    }
  }
}
