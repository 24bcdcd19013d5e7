import { type AccountPlan, PLANS } from '@keepfirst/protocol'
import { instant, type OperatorDesk } from './desk.ts'
import { theAccount } from './keys.ts'
import { table } from './table.ts'

/** `keepfirst accounts list`. */
export async function accountsList(desk: OperatorDesk, options: { json?: boolean }): Promise<void> {
  const accounts = await desk.store.listAccounts()
  if (options.json) {
    const shown = accounts.map(({ id, email, plan, createdAt }) => ({ id, email, plan, createdAt: instant(createdAt) }))
    return desk.print(JSON.stringify(shown))
  }
  return desk.print(
    table(accounts, {
      ACCOUNT: (account) => account.email,
      PLAN: (account) => account.plan,
      MADE: (account) => instant(account.createdAt),
    }),
  )
}

/** `keepfirst accounts set-plan`: takes effect with the next request; keys go on working. */
export async function accountsSetPlan(desk: OperatorDesk, email: string, plan: AccountPlan): Promise<void> {
  await desk.store.setPlan((await theAccount(desk, email)).id, plan)
  desk.print(`${email} is on ${PLANS[plan].title} now.`)
}
