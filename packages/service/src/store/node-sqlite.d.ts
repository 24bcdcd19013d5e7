/*
 * The part that we use of the interface shared by `node:sqlite` and `@keepfirst/sqlite`, which Node.js 20's types lack.
 */

declare module 'node:sqlite' {
  type Value = string | number | bigint | Uint8Array | null
  type Row = { readonly [column: string]: unknown }

  export class DatabaseSync {
    constructor(path: string, options?: { readonly readOnly?: boolean; readonly timeout?: number })
    readonly isTransaction: boolean
    /** The path of the file; null if there is none. */
    location(): string | null
    exec(sql: string): void
    /** @typeParam Found the type of its rows: known to the author of the statement, not to the compiler */
    prepare<Found = Row>(sql: string): StatementSync<Found>
    close(): void
  }

  export interface StatementSync<Found = Row> {
    /** The columns of the returned rows; empty if it returns none. */
    columns(): readonly unknown[]
    get(...values: readonly Value[]): Found | undefined
    all(...values: readonly Value[]): Found[]
    run(...values: readonly Value[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  }
}

declare module '@keepfirst/sqlite' {
  export { DatabaseSync } from 'node:sqlite'
}
