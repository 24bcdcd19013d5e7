import type { Kysely } from 'kysely'
import type { Entry, Outcome } from './books.ts'
import type { Schema } from './schema.ts'
import type { KeyHolder } from './store.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** What a database has to offer so that `DatabaseStore` can be built on it. */
export interface Database {
  readonly kind: DatabaseKind
  /** For whatever is not on the way of every request. */
  readonly kysely: Kysely<Schema>
  findHolder(tokenHash: string): Promise<KeyHolder | undefined>
  /**
   * Applies entries to the books in one transaction; their outcomes in the same order, once it is durable.
   * Never called again before the last call has settled. Rejects, and nothing is applied, with `BadEntry`
   * when a value that an entry carries is to blame, with another error when the database is.
   */
  apply(entries: readonly Entry[]): Promise<readonly Outcome[]>
  /** Forgets burst windows that have ended. */
  dropEndedWindows(at: number): Promise<void>
  /** Takes what was deleted out of the files too, as far as the database lets that be said. */
  scrub(): Promise<void>
  close(): Promise<void>
}

/** The database will not take what an entry carries; its neighbours are not to blame. */
export class BadEntry extends Error {
  override readonly name = 'BadEntry'
}
