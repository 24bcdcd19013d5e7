import { UserError } from '@keepfirst/cli/errors'
import { type AccountPlan, PLANS, type Plan, unreachable, withNoun } from '@keepfirst/protocol'
import { instant } from '../accounts/instant.ts'
import { issueKey, KEY_NAME_RULE, type NewKey } from '../accounts/keys.ts'
import type { Key } from '../store/store.ts'
import { describeAccount, requireAccount } from './account.ts'
import type { OperatorContext } from './context.ts'
import { printJson, printTable } from './table.ts'

/**
 * `keepfirst keys create`: creates the account on first use, moves it to `plan` if given, prints the token once.
 * @param options with an address and a name that the command line has checked
 * @throws UserError when the plan allows no more keys
 */
export async function keysCreate(
  context: OperatorContext,
  options: { account: string; plan?: AccountPlan; name?: string; json?: boolean },
): Promise<void> {
  const { store, now, tokenPrefix, randomBytes } = context
  const { name, plan } = options
  const account = await store.ensureAccount(options.account, now())
  const before = await store.keysOf(account.id)
  const made = await issueKey(store, { accountId: account.id, plan, name, tokenPrefix, now: now(), randomBytes })
  if (typeof made === 'string') throw new UserError(failureMessage(made, account.email, PLANS[plan ?? account.plan]))
  context.print(
    options.json ? JSON.stringify(madeAsJson(made)) : `${madeAsText(made)}\n${describeAccount(account, before)}`,
  )
}

function madeAsJson({ token, key: { id, prefix, account, plan, name, createdAt } }: NewKey): object {
  return { id, token, prefix, account, plan, name, createdAt: instant(createdAt) }
}

function madeAsText({ token, key: { id, account, plan } }: NewKey): string {
  return `${token}\n\nKey ${id} of ${account} (${PLANS[plan].title}). The token is shown this once.`
}

function failureMessage(
  outcome: Exclude<Awaited<ReturnType<typeof issueKey>>, NewKey>,
  email: string,
  plan: Plan,
): string {
  switch (outcome) {
    case 'key limit':
      return `${email} cannot have another key: the ${plan.title} plan allows ${withNoun(plan.activeKeys ?? 0, 'active key')}; revoke one or move the account to another plan`
    case 'bad name':
      return KEY_NAME_RULE
    case 'no account':
      return `the account ${email} no longer exists`
    default:
      return unreachable(outcome)
  }
}

/**
 * `keepfirst keys list`: active and revoked ones, of one account or of all.
 * @throws UserError when there is no such account
 */
export async function keysList(context: OperatorContext, options: { account?: string; json?: boolean }): Promise<void> {
  const { store, print } = context
  const keys =
    options.account === undefined
      ? store.keyPages()
      : [await store.keysOf((await requireAccount(context, options.account)).id)]
  if (options.json) return printJson(print, keys, keyAsJson)
  return printTable(print, keys, {
    ID: (key) => key.id,
    PREFIX: (key) => key.prefix,
    ACCOUNT: (key) => key.account,
    NAME: (key) => key.name,
    PLAN: (key) => key.plan,
    MADE: (key) => instant(key.createdAt),
    BY: (key) => key.madeBy,
    'LAST USED': (key) => instant(key.lastUsedAt),
    REVOKED: (key) => instant(key.revokedAt),
  })
}

/**
 * `keepfirst keys revoke`: immediate and permanent.
 * @throws UserError when there is no such key
 */
export async function keysRevoke(context: OperatorContext, id: string): Promise<void> {
  const key = await context.store.revokeKey(id, context.now())
  if (!key) throw new UserError(`there is no key ${id}; "keepfirst keys list" shows them`)
  context.print(`Key ${key.id} (${key.prefix}…) of ${key.account} is revoked.`)
}

function keyAsJson(key: Key): object {
  const { id, prefix, account, plan, name, createdAt, madeBy, lastUsedAt, revokedAt } = key
  return {
    id,
    prefix,
    account,
    plan,
    name,
    createdAt: instant(createdAt),
    madeBy,
    lastUsedAt: instant(lastUsedAt),
    revokedAt: instant(revokedAt),
  }
}
