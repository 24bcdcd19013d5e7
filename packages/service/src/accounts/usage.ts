import { PLANS, type Plan } from '@keepfirst/protocol'
import { boundsOf, monthOf } from '../store/periods.ts'
import type { Account, Store } from '../store/store.ts'

/** What an account has used of its running month. */
export interface Allowance {
  readonly plan: Plan
  /** `YYYY-MM` */
  readonly month: string
  readonly used: number
  readonly limit: number
  /** Never below 0, although `used` passes the limit after a move to a smaller plan. */
  readonly left: number
  /** When the allowance is whole again: the first of the next month, 00:00 UTC. */
  readonly resets: Date
}

/** The allowance of an account as it stands at that time. */
export async function allowanceOf(store: Store, account: Account, now: number): Promise<Allowance> {
  const month = monthOf(now)
  const [usage] = await store.months({ accountId: account.id, month })
  const plan = PLANS[account.plan]
  const used = usage?.used ?? 0
  const limit = plan.allowance.units
  return { plan, month, used, limit, left: Math.max(0, limit - used), resets: resetOf(now) }
}

/** When the month of that time ends and allowances are whole again. */
export function resetOf(now: number): Date {
  return new Date(boundsOf(monthOf(now)).end)
}

/** A month as a person writes it, `YYYY-MM`, or undefined when there is none of that name. */
export function monthNamed(text: string): string | undefined {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : undefined
}
