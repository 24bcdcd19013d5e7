import { CLAIM_HOURS, createClaim } from '../accounts/claims.ts'
import { requireAccount } from './account.ts'
import type { OperatorContext } from './context.ts'

const EFFECT =
  'It ends all sessions and revokes the password and any keys made by an earlier sign-up with this address.'

/**
 * `keepfirst accounts password`: prints a one-time link for the account's owner to set a password. The secret follows
 * the `#`, which browsers do not send, so it is not in any proxy's log.
 * @throws UserError when there is no such account
 */
export async function accountsPassword(context: OperatorContext, email: string): Promise<void> {
  const token = await createClaim(context.kysely, await requireAccount(context, email), context)
  context.print(
    `${context.baseUrl}/app/keys#claim=${token}\n\nThe link works once, within ${CLAIM_HOURS} hours. ${EFFECT}`,
  )
}
