import { CLAIM_HOURS, createClaim } from '../dashboard/claims.ts'
import type { OperatorDesk } from './desk.ts'
import { theAccount } from './keys.ts'

const WHAT_ENDS = 'It ends every session, the password, and the keys that a sign-up made with this address before.'

/**
 * `keepfirst accounts password`: prints a one-time link with which the account's owner sets a password.
 * The secret stands behind the `#`, which browsers keep to themselves: no log of any proxy shows it.
 */
export async function accountsPassword(desk: OperatorDesk, email: string): Promise<void> {
  const token = await createClaim(desk.kysely, await theAccount(desk, email), desk)
  desk.print(
    `${desk.baseUrl}/app/keys#claim=${token}\n\nThe link works once, within ${CLAIM_HOURS} hours. ${WHAT_ENDS}`,
  )
}
