import { type AccountPlan, PLANS } from '@keepfirst/protocol'
import { accountAsJson } from '../accounts/accounts.ts'
import { exportAccount } from '../accounts/export.ts'
import { instant } from '../accounts/instant.ts'
import { describeAccount, requireAccount } from './account.ts'
import type { OperatorContext } from './context.ts'
import { printJson, printTable } from './table.ts'

/** `keepfirst accounts list`. */
export async function accountsList(context: OperatorContext, options: { json?: boolean }): Promise<void> {
  const accounts = context.store.accountPages()
  if (options.json) return printJson(context.print, accounts, accountAsJson)
  return printTable(context.print, accounts, {
    ACCOUNT: (account) => account.email,
    PLAN: (account) => account.plan,
    MADE: (account) => instant(account.createdAt),
    BY: (account) => account.madeBy,
    CLAIMED: (account) => instant(account.claimedAt),
  })
}

/**
 * `keepfirst accounts set-plan`: takes effect with the next request; keys keep working.
 * @throws UserError when there is no such account
 */
export async function accountsSetPlan(context: OperatorContext, email: string, plan: AccountPlan): Promise<void> {
  const account = await requireAccount(context, email)
  await context.store.setPlan(account.id, plan)
  context.print(
    `${email} is on ${PLANS[plan].title} now. ${describeAccount(account, await context.store.keysOf(account.id))}`,
  )
}

/**
 * `keepfirst accounts delete`: immediate and permanent; the account's usage is kept without its name.
 * @throws UserError when there is no such account
 */
export async function accountsDelete(context: OperatorContext, email: string): Promise<void> {
  await context.store.deleteAccount((await requireAccount(context, email)).id, context.now())
  context.print(`${email} is deleted: its keys, sessions and password are gone. Its usage is kept in anonymous totals.`)
}

/**
 * `keepfirst accounts export`: everything that is stored about an account, as JSON; the same as in the dashboard.
 * @throws UserError when there is no such account
 */
export async function accountsExport(context: OperatorContext, email: string): Promise<void> {
  for await (const lines of exportAccount(context, await requireAccount(context, email), context.now()))
    context.print(lines)
}
