import type { Entry, Outcome } from './books.ts'
import type { Row } from './steps.ts'
import type { KeyHolder } from './store.ts'

/*
 * What the main thread and the SQLite thread say to each other. Requests are answered in the order in
 * which they came.
 */

export interface ThreadData {
  readonly path: string
}

/** A value that SQLite can be given. */
export type SqliteValue = string | number | bigint | Uint8Array | null

export type ThreadRequest =
  | { readonly kind: 'apply'; readonly entries: readonly Entry[] }
  | { readonly kind: 'find holder'; readonly tokenHash: string }
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly SqliteValue[] }
  | { readonly kind: 'drop ended windows'; readonly at: number }
  | { readonly kind: 'close' }

export interface QueryAnswer {
  readonly rows: readonly Row[]
  readonly changes: number
  readonly insertId: number
}

export type ThreadAnswer =
  | { readonly kind: 'applied'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'holder'; readonly holder: KeyHolder | undefined }
  | { readonly kind: 'queried'; readonly answer: QueryAnswer }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined; readonly badEntry: boolean }
