import { isAccountPlan } from '@keepfirst/protocol'
import type { KeyHolder } from './store.ts'

/** The columns that `holderOf` reads, for active keys. */
export const HOLDERS =
  'select k.hash, k.id as key_id, k.account_id, a.plan from api_keys k join accounts a on a.id = k.account_id where k.revoked_at is null'

/** @throws TypeError when the row is not one of `HOLDERS` */
export function holderOf(row: { readonly [column: string]: unknown }): KeyHolder {
  const { key_id: keyId, account_id: accountId, plan } = row
  if (typeof keyId !== 'string' || typeof accountId !== 'string' || typeof plan !== 'string' || !isAccountPlan(plan)) {
    throw new TypeError('a key has no account on a plan')
  }
  return { keyId, accountId, plan }
}
