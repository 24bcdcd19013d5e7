import { FIELD_LIMITS } from '@keepfirst/protocol'
import type { Account, Key } from '../store/store.ts'

/**
 * An account's address in lower case without surrounding white space, or undefined if it cannot be an address. It only
 * has to be readable with one @ between two parts, since the product sends no mail.
 */
export function accountEmail(typed: string): string | undefined {
  const email = typed.trim().toLowerCase()
  if (email.length > FIELD_LIMITS.email || /[\s\p{Cc}\p{Cs}]/u.test(email)) return undefined
  return /^[^@]+@[^@]+$/u.test(email) ? email : undefined
}

/**
 * What is known about an account's owner, as text for the operator: `made by sign-up, address not verified, 1 key`.
 * @param keys the account's keys; revoked ones do not count
 */
export function accountState(account: Account, keys: readonly Key[]): string {
  const active = keys.filter((key) => key.revokedAt === null).length
  return `${originOf(account)}, ${active} ${active === 1 ? 'key' : 'keys'}`
}

function originOf({ madeBy, claimedAt }: Account): string {
  if (claimedAt !== null) return 'claimed by its owner'
  return madeBy === 'operator' ? 'made by the operator, not claimed' : 'made by sign-up, address not verified'
}

/** Whether anybody could have made the account by giving this address. */
export function isUnverified({ madeBy, claimedAt }: Account): boolean {
  return madeBy === 'sign-up' && claimedAt === null
}
