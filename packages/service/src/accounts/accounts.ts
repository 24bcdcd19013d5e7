import type { Account, Key } from '../store/store.ts'

/** RFC 5321, 4.5.3.1.3: a path of 256 octets holds two angle brackets. */
const EMAIL_CHARACTERS = 254

/**
 * An account's address, lower-cased and without the white space around it, or undefined when it can't be
 * one. No more is asked than that it has one @ between two parts and can be read: the product sends no mail.
 */
export function accountEmail(typed: string): string | undefined {
  const email = typed.trim().toLowerCase()
  if (email.length > EMAIL_CHARACTERS || /[\s\p{Cc}\p{Cs}]/u.test(email)) return undefined
  return /^[^@]+@[^@]+$/u.test(email) ? email : undefined
}

/**
 * Who an account belongs to as far as anybody knows, in words for the operator: `made by sign-up, address not
 * verified, 1 key`.
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

/** Could anybody have made it by naming the address? */
export function isUnverified({ madeBy, claimedAt }: Account): boolean {
  return madeBy === 'sign-up' && claimedAt === null
}
