import { boundsOf, dayOf, monthOf, monthsBetween } from '../store/periods.ts'
import type { DayUsage } from '../store/store.ts'

const DAY_MS = 86_400_000

/** When the month of that time ends and allowances are whole again. */
export function resetOf(now: number): Date {
  return new Date(boundsOf(monthOf(now)).end)
}

/** A month as a person writes it, `YYYY-MM`, or undefined when there is none of that name. */
export function monthNamed(text: string): string | undefined {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined
}

/** Days that a plan is compared with: some month, whenever it begins. */
const LAST_DAYS = 30

/**
 * What an account used today and in the days before it.
 * @param daysOf the sums of the account's days of a month
 */
export async function lastDaysOf(
  daysOf: (month: string) => Promise<readonly DayUsage[]>,
  now: number,
): Promise<{ readonly days: number; readonly calls: number; readonly units: number }> {
  const from = now - (LAST_DAYS - 1) * DAY_MS
  const sum = { days: LAST_DAYS, calls: 0, units: 0 }
  for (const month of monthsBetween(monthOf(from), monthOf(now))) {
    for (const { day, calls, units } of await daysOf(month)) {
      if (day < dayOf(from)) continue
      sum.calls += calls
      sum.units += units
    }
  }
  return sum
}
