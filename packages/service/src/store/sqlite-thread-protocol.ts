import type { BatchAnswer, LedgerBatch } from './ledger-driver.ts'

/*
 * What the main thread and a SQLite thread say to each other. Requests are answered in the order in which they came.
 */

export interface ThreadData {
  readonly path: string
  readonly isReadOnly: boolean
}

/** A value that SQLite can be given. */
export type SqliteValue = string | number | bigint | Uint8Array | null
export type Row = { readonly [column: string]: unknown }

export type ThreadRequest =
  /** The batch as JSON: one text crosses threads sooner than its many rows. */
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
      /** SQLite's result code; undefined when the fault is not SQLite's. */
      readonly code: number | undefined
      readonly isBadEntry: boolean
    }

/** Whoever has a connection to SQLite: a thread in life, this very one in tests and simulations. */
export interface SqliteExecutor {
  /** Resolves with the answer of that kind, rejects with what went wrong. */
  ask<Kind extends ThreadAnswer['kind']>(
    request: ThreadRequest,
    kind: Kind,
  ): Promise<Extract<ThreadAnswer, { kind: Kind }>>
  /** Lets go of the connection after everything that was asked before. */
  close(): Promise<void>
}
