import { PLANS } from '@keepfirst/protocol'
import { monthOf } from '../store/periods.ts'
import type { UsageEvent, UsageQuery } from '../store/store.ts'
import { instant, type OperatorDesk } from './desk.ts'
import { theAccount } from './keys.ts'
import { table } from './table.ts'

interface UsageOptions {
  readonly account?: string
  readonly month?: string
  readonly events?: boolean
  readonly json?: boolean
}

/** `keepfirst usage`: what accounts used in a month (UTC), or with `--events` call by call, oldest first. */
export async function usage(desk: OperatorDesk, options: UsageOptions): Promise<void> {
  const month = options.month ?? monthOf(desk.now())
  const query = options.account ? { month, accountId: (await theAccount(desk, options.account)).id } : { month }
  desk.print(options.events ? await eventsOf(desk, query, options.json) : await monthsOf(desk, query, options.json))
}

async function monthsOf(desk: OperatorDesk, query: UsageQuery, json = false): Promise<string> {
  const months = await desk.store.months(query)
  if (json) return JSON.stringify(months.map((month) => ({ ...month, limit: PLANS[month.plan].allowance.units })))
  return table(months, {
    ACCOUNT: (month) => month.account,
    PLAN: (month) => month.plan,
    MONTH: (month) => month.month,
    UNITS: (month) => month.used,
    OF: (month) => PLANS[month.plan].allowance.units,
    CALLS: (month) => month.calls,
  })
}

async function eventsOf(desk: OperatorDesk, query: UsageQuery, json = false): Promise<string> {
  const events = await desk.store.events(query)
  if (json) return JSON.stringify(events.map((event) => ({ ...event, at: instant(event.at) })))
  return table(events, {
    AT: (event) => instant(event.at),
    ACCOUNT: (event) => event.account,
    KEY: (event) => event.keyPrefix,
    MODE: (event) => event.mode,
    ROWS: (event) => event.rows,
    REMOVED: (event) => event.removed,
    UNITS: (event) => event.units,
    STATUS: statusOf,
    MS: (event) => event.durationMs,
  })
}

/** A call without a status is under way, or was cut off when the service ended under it. */
function statusOf(event: UsageEvent): number | string {
  return event.status ?? 'interrupted'
}
