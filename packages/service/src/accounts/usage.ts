import { boundsOf, DAY_MS, dayOf, monthOf, monthsBetween } from '../store/periods.ts'
import type { DayUsage } from '../store/store.ts'

/** When the current month ends and allowances are reset. */
export function resetOf(now: number): Date {
  return new Date(boundsOf(monthOf(now)).end)
}

/** The number of days, ending today, whose usage is compared with plans: about a month. */
const LAST_DAYS = 30

/**
 * What an account used today and in the days before.
 * @param daysOf the totals of the account's days in a month
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
