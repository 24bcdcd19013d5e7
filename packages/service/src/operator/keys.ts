import { UserError } from '@keepfirst/cli/errors'
import { type AccountPlan, FIELD_LIMITS, PLANS, type Plan, unreachable } from '@keepfirst/protocol'
import { accountEmail, accountState, isUnverified } from '../accounts/accounts.ts'
import { instant } from '../accounts/instant.ts'
import { issueKey, keyName, type NewKey } from '../accounts/keys.ts'
import type { Account, Key } from '../store/store.ts'
import type { OperatorContext } from './context.ts'
import { printJson, printTable } from './table.ts'

const BAD_NAME = `a name has at most ${FIELD_LIMITS.keyName} characters, and no control characters`

/**
 * `keepfirst keys create`: creates the account on first use, moves it to `plan` if given, prints the token once.
 * @throws UserError when the address or the name is not acceptable, or the plan allows no more keys
 */
export async function keysCreate(
  context: OperatorContext,
  options: { account: string; plan?: AccountPlan; name?: string; json?: boolean },
): Promise<void> {
  const { store, now, tokenPrefix, randomBytes } = context
  const email = accountEmail(options.account)
  if (email === undefined) throw new UserError(`${options.account} is not an email address`)
  const { name, plan } = options
  if (keyName(name) === undefined) throw new UserError(BAD_NAME) // before an account is made for it
  const account = await store.ensureAccount(email, now())
  const before = await store.keysOf(account.id)
  const made = await issueKey(store, { accountId: account.id, plan, name, tokenPrefix, now: now(), randomBytes })
  if (typeof made === 'string') throw new UserError(failureMessage(made, email, PLANS[plan ?? account.plan]))
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

/** What is known about an account's owner, and what to do if nothing is. */
export function describeAccount(account: Account, keys: readonly Key[]): string {
  const state = `The account: ${accountState(account, keys)}.`
  if (!isUnverified(account)) return state
  return `${state}\n"keepfirst accounts password ${account.email}" prints a link for its owner to claim it.`
}

function failureMessage(
  outcome: Exclude<Awaited<ReturnType<typeof issueKey>>, NewKey>,
  email: string,
  plan: Plan,
): string {
  switch (outcome) {
    case 'key limit':
      return `${email} has all ${plan.activeKeys} active key(s) of the ${plan.title} plan; revoke one or move the account to another plan`
    case 'bad name':
      return BAD_NAME
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
  const keys = options.account
    ? [await store.keysOf((await requireAccount(context, options.account)).id)]
    : store.keyPages()
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

/**
 * The account with this address.
 * @throws UserError when there is none
 */
export async function requireAccount(context: OperatorContext, email: string): Promise<Account> {
  const account = await context.store.findAccount(email)
  if (!account) throw new UserError(`there is no account ${email}; "keepfirst accounts list" shows them`)
  return account
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
