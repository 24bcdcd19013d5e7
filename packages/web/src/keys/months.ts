/** The month of an instant as `YYYY-MM`, in UTC like everything here. */
export function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7)
}

/** Whether this is a month, `YYYY-MM`. */
export function isMonth(text: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text)
}

/** A month this many months earlier; later if negative. */
export function monthBefore(month: string, by = 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 - by, 1)).toISOString().slice(0, 7)
}

/** Every day of a month, `YYYY-MM-DD`. */
export function daysOf(month: string): string[] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
}
