import { CLAIM_HOURS, createClaim } from '../accounts/claims.ts'
import type { OperatorContext } from './context.ts'
import { theAccount } from './keys.ts'

const WHAT_ENDS = 'It ends every session, the password, and the keys that a sign-up made with this address before.'

/**
 * `keepfirst accounts password`: prints a one-time link with which the account's owner sets a password. The secret is
 * after the `#`, which browsers do not send, so it is in no proxy's log.
 */
export async function accountsPassword(context: OperatorContext, email: string): Promise<void> {
  const token = await createClaim(context.kysely, await theAccount(context, email), context)
  context.print(
    `${context.baseUrl}/app/keys#claim=${token}\n\nThe link works once, within ${CLAIM_HOURS} hours. ${WHAT_ENDS}`,
  )
}
