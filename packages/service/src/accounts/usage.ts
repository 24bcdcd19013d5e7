import { LAST_DAYS } from '@keepfirst/protocol'
import { boundsOf, DAY_MS, dayOf, monthOf, monthsBetween } from '../store/periods.ts'
import type { DayUsage } from '../store/store.ts'

/** When the current month ends and allowances are reset. */
export function resetOf(now: number): Date {
  return new Date(boundsOf(monthOf(now)).end)
}

/**
 * What an account used in its last `LAST_DAYS`.
 * @param daysOf the totals of the account's days in a month
 */
export async function lastDaysOf(
  daysOf: (month: string) => Promise<readonly DayUsage[]>,
  now: number,
): Promise<{ readonly calls: number; readonly units: number }> {
  const from = now - (LAST_DAYS - 1) * DAY_MS
  const sum = { calls: 0, units: 0 }
  for (const month of monthsBetween(monthOf(from), monthOf(now))) {
    for (const { day, calls, units } of await daysOf(month)) {
      if (day < dayOf(from)) continue
      sum.calls += calls
      sum.units += units
    }
  }
  return sum
}
