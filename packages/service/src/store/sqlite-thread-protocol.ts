import type { BatchAnswer, LedgerBatch } from './ledger-driver.ts'
import type { Row } from './row.ts'

/*
 * Messages between the main thread and a SQLite thread. Requests are answered in order.
 */

export interface ThreadData {
  readonly path: string
  readonly isReadOnly: boolean
}

/** A value that SQLite can store. */
export type SqliteValue = string | number | bigint | Uint8Array | null

export type ThreadRequest =
  /** The batch as JSON: a single string is passed between threads faster than many rows. */
  | { readonly kind: 'write'; readonly batch: string }
  | { readonly kind: 'settle'; readonly batch: Pick<LedgerBatch, 'id' | 'at'> }
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly SqliteValue[] }
  | { readonly kind: 'close' }

export interface QueryAnswer {
  readonly rows: readonly Row[]
  readonly changes: number
  readonly insertId: number
}

export type ThreadAnswer =
  | { readonly kind: 'written'; readonly answer: BatchAnswer }
  | { readonly kind: 'settled'; readonly answer: BatchAnswer | 'never' }
  | { readonly kind: 'queried'; readonly answer: QueryAnswer }
  | { readonly kind: 'done' }
  | {
      readonly kind: 'failed'
      readonly message: string
      /** SQLite's result code; undefined if the error is not from SQLite. */
      readonly code: number | undefined
      readonly isBadEntry: boolean
    }

/** The owner of a SQLite connection: a thread in production, the current thread in tests and simulations. */
export interface SqliteExecutor {
  /**
   * Resolves with an answer of that kind.
   * @throws BadEntry when a value is to blame
   * @throws Error when SQLite failed otherwise, or the connection is closed
   */
  ask<Kind extends ThreadAnswer['kind']>(
    request: ThreadRequest,
    kind: Kind,
  ): Promise<Extract<ThreadAnswer, { kind: Kind }>>
  /** Closes the connection after all earlier requests. */
  close(): Promise<void>
}
