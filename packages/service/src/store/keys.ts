import { PLANS } from '@keepfirst/protocol'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'
import { madeAfter, PAGE, pagesOf } from './pages.ts'
import type { AccountsTable, ApiKeysTable, Schema } from './schema.ts'
import type { Key, KeyDraft, KeyMaker, Store } from './store.ts'
import { inTransaction } from './transaction.ts'

type KeyMethods = Pick<Store, 'findHolder' | 'createKey' | 'keysOf' | 'keyPages' | 'revokeKey'>

/** The store's keys. */
export function createKeys({ kysely, reports, findHolder }: Database, newId: () => string): KeyMethods {
  return {
    findHolder,
    createKey: (draft) => inTransaction(kysely, (trx) => insertKey(trx, newId(), draft)),
    async keysOf(accountId) {
      const query = selectKeys(kysely).where('api_keys.account_id', '=', accountId)
      return (await query.orderBy('api_keys.created_at').orderBy('api_keys.id').execute()).map(keyOf)
    },
    keyPages() {
      return pagesOf(async (last: Key | undefined) => {
        const query = selectKeys(reports).where(madeAfter('api_keys', last))
        return (await query.orderBy('api_keys.created_at').orderBy('api_keys.id').limit(PAGE).execute()).map(keyOf)
      })
    },
    async revokeKey(keyId, at, accountId) {
      let update = kysely
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('id', '=', keyId)
        .where('revoked_at', 'is', null)
      let query = selectKeys(kysely).where('api_keys.id', '=', keyId)
      if (accountId !== undefined) {
        update = update.where('account_id', '=', accountId)
        query = query.where('api_keys.account_id', '=', accountId)
      }
      await update.execute()
      const row = await query.executeTakeFirst()
      return row && keyOf(row)
    },
  }
}

/** Makes a key, on the draft's plan or else the account's, unless that plan allows no more. */
async function insertKey(
  trx: Transaction<Schema>,
  id: string,
  { accountId, name, prefix, hash, createdAt, seen, ...draft }: KeyDraft,
): Promise<Key | 'no account' | 'key limit'> {
  // Changes nothing, but locks the account's row, so that on both databases concurrent requests for keys wait.
  const account = await trx
    .updateTable('accounts')
    .set({ plan: sql.ref('plan') })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .returning(['email', 'plan', 'claimed_at'])
    .executeTakeFirst()
  if (account === undefined) return 'no account'
  // A request that was made before the account was claimed must leave no key behind.
  if (seen !== undefined && seen.claimedAt !== account.claimed_at) return 'no account'
  const { plan = account.plan } = draft
  const limit = PLANS[plan].activeKeys
  if (limit !== null && (await countActiveKeys(trx, accountId)) >= limit) return 'key limit'
  await trx.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
  const madeBy = makerOf(seen)
  await trx
    .insertInto('api_keys')
    .values({
      id,
      account_id: accountId,
      name,
      prefix,
      hash,
      created_at: createdAt,
      made_by: madeBy,
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  const unset = { lastUsedAt: null, revokedAt: null }
  return { id, accountId, account: account.email, plan, name, prefix, createdAt, madeBy, ...unset }
}

function makerOf(seen: KeyDraft['seen']): KeyMaker {
  if (seen === undefined) return 'operator'
  return seen.claimedAt === null ? 'sign-up' : 'owner'
}

async function countActiveKeys(kysely: Kysely<Schema>, accountId: string): Promise<number> {
  const { count } = await kysely
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

function selectKeys(kysely: Kysely<Schema>) {
  return kysely
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(['accounts.email', 'accounts.plan'])
    .where('accounts.deleted_at', 'is', null)
}

function keyOf(row: Selectable<ApiKeysTable> & Pick<Selectable<AccountsTable>, 'email' | 'plan'>): Key {
  return {
    id: row.id,
    accountId: row.account_id,
    account: row.email,
    plan: row.plan,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at,
    madeBy: row.made_by,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}
