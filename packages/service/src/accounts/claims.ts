import type { Kysely } from 'kysely'
import type { RandomBytes } from '../store/identifiers.ts'
import { HOUR_MS } from '../store/periods.ts'
import type { Schema } from '../store/schema.ts'
import type { Account } from '../store/store.ts'
import { hashSecret } from './hash-secret.ts'

/** How long a one-time link is valid. */
export const CLAIM_HOURS = 24

/**
 * Creates a one-time secret for setting the password of an account. An earlier one for the same account becomes
 * invalid. Only its SHA-256 is stored.
 */
export async function createClaim(
  kysely: Kysely<Schema>,
  account: Account,
  { now, randomBytes }: { readonly now: () => number; readonly randomBytes: RandomBytes },
): Promise<string> {
  const token = Buffer.from(randomBytes(32)).toString('base64url')
  const claim = { account_id: account.id, hash: hashSecret(token), expires_at: now() + CLAIM_HOURS * HOUR_MS }
  await kysely
    .insertInto('auth_claims')
    .values(claim)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ hash: claim.hash, expires_at: claim.expires_at }),
    )
    .execute()
  return token
}

/** The id of a claim's account; undefined if the claim was used or replaced, or has expired. Does not use it up. */
export async function findClaim(kysely: Kysely<Schema>, token: string, now: number): Promise<string | undefined> {
  const found = await kysely
    .selectFrom('auth_claims')
    .select('account_id')
    .where('hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return found?.account_id
}

/** Like {@link findClaim}, but uses the claim up. */
export async function takeClaim(kysely: Kysely<Schema>, token: string, now: number): Promise<string | undefined> {
  const taken = await kysely
    .deleteFrom('auth_claims')
    .where('hash', '=', hashSecret(token))
    .where('expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst()
  return taken?.account_id
}
