import { UserError } from '@keepfirst/cli/errors'
import { withNoun } from '@keepfirst/protocol'
import type { Account, Key } from '../store/store.ts'
import type { OperatorContext } from './context.ts'

/**
 * The account with this address.
 * @throws UserError when there is none
 */
export async function requireAccount({ store }: OperatorContext, email: string): Promise<Account> {
  const account = await store.findAccount(email)
  if (!account) throw new UserError(`there is no account ${email}; "keepfirst accounts list" shows them`)
  return account
}

/**
 * What is known about an account's owner, and what to do if nothing is.
 * @param keys the account's keys; revoked ones do not count
 */
export function describeAccount(account: Account, keys: readonly Key[]): string {
  const active = keys.filter(({ revokedAt }) => revokedAt === null).length
  const state = `The account: ${originOf(account)}, ${withNoun(active, 'key')}.`
  if (!isUnverified(account)) return state
  return `${state}\n"keepfirst accounts password ${account.email}" prints a link for its owner to claim it.`
}

function originOf({ madeBy, claimedAt }: Account): string {
  if (claimedAt !== null) return 'claimed by its owner'
  return madeBy === 'operator' ? 'made by the operator, not claimed' : 'made by sign-up, address not verified'
}

/** Whether anybody could have made the account by giving this address. */
function isUnverified({ madeBy, claimedAt }: Account): boolean {
  return madeBy === 'sign-up' && claimedAt === null
}
