/* What is used here of the interface that `node:sqlite` and `@keepfirst/sqlite` share. The types of Node.js 20 lack it. */

declare module 'node:sqlite' {
  type Value = string | number | bigint | Uint8Array | null
  type Row = { readonly [column: string]: unknown }

  export class DatabaseSync {
    constructor(path: string, options?: { readonly readOnly?: boolean; readonly timeout?: number })
    readonly isTransaction: boolean
    /** The path of the file; null when there is none. */
    location(): string | null
    exec(sql: string): void
    /** @typeParam Found what its rows hold: the statement's author knows, the compiler does not */
    prepare<Found = Row>(sql: string): StatementSync<Found>
    close(): void
  }

  export interface StatementSync<Found = Row> {
    /** The columns of the rows that it returns; none when it returns no rows. */
    columns(): readonly unknown[]
    get(...values: readonly Value[]): Found | undefined
    all(...values: readonly Value[]): Found[]
    run(...values: readonly Value[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  }
}

declare module '@keepfirst/sqlite' {
  export { DatabaseSync } from 'node:sqlite'
}
