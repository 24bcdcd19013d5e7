import { isAccountPlan } from '@keepfirst/protocol'
import { Lookups } from './lookups.ts'
import type { Row } from './row.ts'
import type { KeyHolder } from './store.ts'

/** The active keys, with their holders. */
export const HOLDERS =
  'select k.hash, k.id as key_id, k.account_id, a.plan from api_keys k join accounts a on a.id = k.account_id where k.revoked_at is null'

/** Finds the holder of the key with this hash; undefined if it is unknown or revoked. */
export type FindHolder = (tokenHash: string) => Promise<KeyHolder | undefined>

/**
 * Looks up the keys of requests that arrive together in one query, which returns the rows of those that are active.
 * @param maxBatchSize the most keys that one query looks up
 */
export function findHoldersBy(
  query: (hashes: readonly string[]) => Promise<readonly Row[]>,
  maxBatchSize: number = Number.POSITIVE_INFINITY,
): FindHolder {
  const lookups = new Lookups(async (hashes) => {
    const rows = await query(hashes)
    return new Map(rows.map((row) => [row.hash, row]))
  }, maxBatchSize)
  return async (tokenHash) => {
    const row = await lookups.find(tokenHash)
    return row && holderOf(row)
  }
}

/**
 * Reads a row of `HOLDERS`.
 * @throws TypeError when the account's plan is not known
 */
function holderOf(row: Row): KeyHolder {
  const { key_id: keyId, account_id: accountId, plan } = row
  if (typeof keyId !== 'string' || typeof accountId !== 'string' || typeof plan !== 'string' || !isAccountPlan(plan)) {
    throw new TypeError('the account of a key has no known plan')
  }
  return { keyId, accountId, plan }
}
