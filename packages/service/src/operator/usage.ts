import { UserError } from '@keepfirst/cli/errors'
import { PLANS } from '@keepfirst/protocol'
import { instant } from '../accounts/instant.ts'
import { monthOf } from '../store/periods.ts'
import type { Account, UsageEvent, UsageQuery } from '../store/store.ts'
import { requireAccount } from './account.ts'
import type { OperatorContext } from './context.ts'
import { printJson, printTable } from './table.ts'

interface UsageOptions {
  readonly account?: string
  readonly month?: string
  readonly events?: boolean
  readonly verify?: boolean
  readonly json?: boolean
}

/**
 * `keepfirst usage`: the usage of accounts in a month (UTC); with `--events` call by call, oldest first; with
 * `--verify` whether every counter equals the sum of its events.
 * @throws UserError when there is no such account, or a counter is wrong (with `--verify`)
 */
export async function usage(context: OperatorContext, options: UsageOptions): Promise<void> {
  const account = options.account === undefined ? undefined : await requireAccount(context, options.account)
  if (options.verify) return verify(context, options, account)
  const month = options.month ?? monthOf(context.now())
  const query = account === undefined ? { month } : { month, accountId: account.id }
  return options.events ? events(context, query, options.json) : months(context, query, options.json)
}

/** Compares every counter, or those of one month or account, with its events. */
async function verify(
  { store, print }: OperatorContext,
  { month, json }: UsageOptions,
  account: Account | undefined,
): Promise<void> {
  const all = await store.imbalances(month)
  const wrong = account === undefined ? all : all.filter((one) => one.account === account.email)
  if (json) print(JSON.stringify(wrong))
  else if (wrong.length === 0) print('every counter is the sum of its events')
  else {
    await printTable(print, [wrong], {
      ACCOUNT: (one) => one.account,
      MONTH: (one) => one.month,
      COUNTER: (one) => one.used,
      EVENTS: (one) => one.sum,
      REPORTED: (one) => one.reported,
    })
  }
  if (wrong.length > 0) throw new UserError(`counters that differ from the sum of their events: ${wrong.length}`)
}

function months({ store, print }: OperatorContext, query: UsageQuery, json = false): Promise<void> {
  const pages = store.monthPages(query)
  if (json) return printJson(print, pages, (month) => ({ ...month, limit: PLANS[month.plan].allowance.units }))
  return printTable(print, pages, {
    ACCOUNT: (month) => month.account,
    PLAN: (month) => month.plan,
    MONTH: (month) => month.month,
    UNITS: (month) => month.used,
    OF: (month) => PLANS[month.plan].allowance.units,
    CALLS: (month) => month.calls,
  })
}

function events({ store, print }: OperatorContext, query: UsageQuery, json = false): Promise<void> {
  const pages = store.eventPages(query)
  if (json) return printJson(print, pages, (event) => ({ ...event, at: instant(event.at) }))
  return printTable(print, pages, {
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

/** A call without a status is in progress, or was interrupted when the service ended. */
function statusOf(event: UsageEvent): number | string {
  return event.status ?? 'interrupted'
}
