/* Periods of the ledger, in UTC; times are milliseconds since 1970. */

export const HOUR_MS = 3_600_000
export const DAY_MS: number = 24 * HOUR_MS

/** The month of a time, `YYYY-MM`. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}

/** The day of a time, `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** The start of a month (`YYYY-MM`), and of the next one. */
export function boundsOf(month: string): { readonly start: number; readonly end: number } {
  const start = new Date(`${month}-01T00:00:00.000Z`)
  return { start: start.getTime(), end: Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1) }
}

/** A month as typed, `YYYY-MM`, or undefined if it does not exist. */
export function monthNamed(text: string): string | undefined {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined
}

/** The months from one to another (`YYYY-MM`), inclusive. */
export function* monthsBetween(first: string, last: string): Generator<string> {
  for (let month = first; month <= last; month = monthOf(boundsOf(month).end)) yield month
}
