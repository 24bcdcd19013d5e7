/*
 * What is done to the books is written once, as a generator that asks one statement after another.
 * SQLite plays it without a pause in its own thread, PostgreSQL awaits every answer.
 */

export type Value = string | number | null
export type Row = { readonly [column: string]: unknown }

/** A statement of the hot path, prepared once a connection under its name. Placeholders are `?`. */
export interface Statement {
  readonly name: string
  readonly sql: string
}

/** One statement to be run with these values. */
export interface Ask {
  readonly statement: Statement
  readonly values: readonly Value[]
}

export type Steps<Result> = Generator<Ask, Result, readonly Row[]>

/** Runs one statement; its rows, none when it returns nothing. */
export function* ask(statement: Statement, ...values: readonly Value[]): Steps<readonly Row[]> {
  return yield { statement, values }
}

/** A whole number of the first row, or undefined when there is no row. */
export function firstNumber(rows: readonly Row[], column: string): number | undefined {
  const value = rows[0]?.[column]
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw new TypeError(`${column} is no number`)
  return value
}
