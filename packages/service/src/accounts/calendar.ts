/** The month in which an instant lies, as `YYYY-MM`, UTC. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7)
}

/** The day on which an instant lies, as `YYYY-MM-DD`, UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** When the month's allowance is whole again: the first of the next month, 00:00 UTC (specification 3). */
export function nextMonth(at: number): Date {
  const now = new Date(at)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}
