import { type AccountPlan, PLANS } from '@keepfirst/protocol'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { AccountsTable, ApiKeysTable, Schema } from './schema.ts'
import type { Account, Key, KeyDraft } from './store.ts'

/* Accounts and their keys. */

/** The account of that address, made on the free plan when there is none. */
export async function ensureAccount(kysely: Kysely<Schema>, draft: Account): Promise<Account> {
  await createAccount(kysely, draft)
  const email = draft.email.toLowerCase()
  return accountOf(await kysely.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow())
}

/** The account that was drafted, or undefined when there is one of that address. */
export async function createAccount(kysely: Kysely<Schema>, draft: Account): Promise<Account | undefined> {
  const row = await kysely
    .insertInto('accounts')
    .values({ id: draft.id, email: draft.email.toLowerCase(), plan: draft.plan, created_at: draft.createdAt })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && accountOf(row)
}

export async function accountById(kysely: Kysely<Schema>, id: string): Promise<Account | undefined> {
  const row = await kysely.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && accountOf(row)
}

export async function findAccount(kysely: Kysely<Schema>, email: string): Promise<Account | undefined> {
  const row = await kysely
    .selectFrom('accounts')
    .selectAll()
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row && accountOf(row)
}

export async function listAccounts(kysely: Kysely<Schema>): Promise<readonly Account[]> {
  const rows = await kysely.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('email').execute()
  return rows.map(accountOf)
}

export async function setPlan(kysely: Kysely<Schema>, id: string, plan: AccountPlan): Promise<Account | undefined> {
  const row = await kysely.updateTable('accounts').set({ plan }).where('id', '=', id).returningAll().executeTakeFirst()
  return row && accountOf(row)
}

/** Makes a key, on the plan that the draft names or else on the account's, unless that plan has none left. */
export function createKey(
  kysely: Kysely<Schema>,
  id: string,
  draft: KeyDraft,
): Promise<Key | 'no account' | 'key limit'> {
  return kysely.transaction().execute(async (trx) => {
    // Changes nothing, and holds the account's row to the end: on both databases whoever else makes a key waits.
    const account = await trx
      .updateTable('accounts')
      .set({ plan: sql.ref('plan') })
      .where('id', '=', draft.accountId)
      .returning(['email', 'plan'])
      .executeTakeFirst()
    if (account === undefined) return 'no account'
    const { plan = account.plan } = draft
    const most = PLANS[plan].activeKeys
    if (most !== null && (await countActiveKeys(trx, draft.accountId)) >= most) return 'key limit'
    const { accountId, name, prefix, hash, createdAt } = draft
    await setPlan(trx, accountId, plan)
    await trx
      .insertInto('api_keys')
      .values({
        id,
        account_id: accountId,
        name,
        prefix,
        hash,
        created_at: createdAt,
        last_used_at: null,
        revoked_at: null,
      })
      .execute()
    return { id, accountId, account: account.email, plan, name, prefix, createdAt, lastUsedAt: null, revokedAt: null }
  })
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
}

/** All keys, or those of one account, in the order of their creation; revoked ones too. */
export async function listKeys(kysely: Kysely<Schema>, accountId?: string): Promise<readonly Key[]> {
  let query = selectKeys(kysely).orderBy('api_keys.created_at').orderBy('api_keys.id')
  if (accountId !== undefined) query = query.where('api_keys.account_id', '=', accountId)
  return (await query.execute()).map(keyOf)
}

/** Revokes for ever; the key as it stands now, or undefined when there is none (of that account). */
export async function revokeKey(
  kysely: Kysely<Schema>,
  keyId: string,
  { at, accountId }: { readonly at: number; readonly accountId?: string | undefined },
): Promise<Key | undefined> {
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
}

function accountOf({ id, email, plan, created_at }: Selectable<AccountsTable>): Account {
  return { id, email, plan, createdAt: created_at }
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
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}
