import { CLAIM_HOURS, createClaim } from '../dashboard/claims.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Store } from '../store/store.ts'

export interface PasswordDesk {
  readonly store: Store
  readonly kysely: OpenDatabase['kysely']
  readonly baseUrl: string
  readonly now: () => number
  readonly randomBytes: (size: number) => Uint8Array
}

/**
 * `keepfirst accounts password EMAIL`: a one-time link with which the account's owner sets a password.
 * The secret stands behind the `#`, which browsers keep to themselves: no log of any proxy shows it.
 * @returns the link and how long it works, or undefined when there is no such account
 */
export async function passwordLink(
  desk: PasswordDesk,
  email: string,
): Promise<{ readonly link: string; readonly hours: number } | undefined> {
  const account = await desk.store.findAccount(email)
  if (account === undefined) return undefined
  const token = await createClaim(desk.kysely, account, desk)
  return { link: `${desk.baseUrl}/app/keys#claim=${token}`, hours: CLAIM_HOURS }
}
