import { type AccountPlan, PLANS } from '@keepfirst/protocol'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import { PAGE, pagesOf } from './pages.ts'
import type { AccountsTable, ApiKeysTable, Schema } from './schema.ts'
import type { Account, Key, KeyDraft, KeyMaker } from './store.ts'
import { inTransaction } from './transaction.ts'

/* Accounts and their keys. */

/** The account with the draft's address, created on the free plan if there is none. */
export async function ensureAccount(kysely: Kysely<Schema>, draft: Account): Promise<Account> {
  await createAccount(kysely, draft)
  const email = draft.email.toLowerCase()
  return accountOf(await kysely.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirstOrThrow())
}

/** Creates the drafted account; undefined if its address has one already. */
export async function createAccount(kysely: Kysely<Schema>, draft: Account): Promise<Account | undefined> {
  const row = await kysely
    .insertInto('accounts')
    .values({
      id: draft.id,
      email: draft.email.toLowerCase(),
      plan: draft.plan,
      created_at: draft.createdAt,
      made_by: draft.madeBy,
      claimed_at: draft.claimedAt,
      deleted_at: null,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && accountOf(row)
}

export async function accountById(kysely: Kysely<Schema>, id: string): Promise<Account | undefined> {
  const row = await selectAccounts(kysely).where('id', '=', id).executeTakeFirst()
  return row && accountOf(row)
}

export async function findAccount(kysely: Kysely<Schema>, email: string): Promise<Account | undefined> {
  const row = await selectAccounts(kysely).where('email', '=', email.toLowerCase()).executeTakeFirst()
  return row && accountOf(row)
}

/** All accounts in order of creation, one statement per page. */
export function accountPages(kysely: Kysely<Schema>): AsyncGenerator<readonly Account[]> {
  return pagesOf(async (last: Account | undefined) => {
    const query = selectAccounts(kysely).where(madeAfter('accounts', last))
    return (await query.orderBy('created_at').orderBy('id').limit(PAGE).execute()).map(accountOf)
  })
}

/** A single lower bound in addition to the exact condition, so that an index can be read from there. */
function madeAfter(
  table: 'accounts' | 'api_keys',
  last: { readonly createdAt: number; readonly id: string } | undefined,
) {
  const [at, id] = [sql.ref(`${table}.created_at`), sql.ref(`${table}.id`)]
  if (last === undefined) return sql<boolean>`true`
  return sql<boolean>`${at} >= ${last.createdAt} and (${at} > ${last.createdAt} or ${id} > ${last.id})`
}

/** Accounts that have not been deleted. */
function selectAccounts(kysely: Kysely<Schema>) {
  return kysely.selectFrom('accounts').selectAll().where('deleted_at', 'is', null)
}

export async function setPlan(kysely: Kysely<Schema>, id: string, plan: AccountPlan): Promise<Account | undefined> {
  const row = await kysely.updateTable('accounts').set({ plan }).where('id', '=', id).returningAll().executeTakeFirst()
  return row && accountOf(row)
}

/**
 * Hands an account over to its owner: keys made after a sign-up are revoked; keys made by the operator, or by the owner
 * after an earlier claim, are kept.
 * @param trx the transaction that also uses up the claim, ends sessions and sets the new password
 */
export async function claimAccount(trx: Transaction<Schema>, id: string, at: number): Promise<Account | undefined> {
  const row = await trx
    .updateTable('accounts')
    .set({ claimed_at: at })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  await trx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('account_id', '=', id)
    .where('made_by', '=', 'sign-up')
    .where('revoked_at', 'is', null)
    .execute()
  return row && accountOf(row)
}

/** Removes all personal data. The rows remain without it, so that the totals stay correct. */
export function deleteAccount(kysely: Kysely<Schema>, id: string, at: number): Promise<boolean> {
  return inTransaction(kysely, async (trx) => {
    // First, as in a claim, so that two transactions never wait for each other in a cycle.
    await trx.deleteFrom('auth_claims').where('account_id', '=', id).execute()
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ email: `deleted ${id}`, deleted_at: at })
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await trx
      .updateTable('api_keys')
      .set({
        name: '',
        prefix: '',
        hash: sql`'deleted ' || id`,
        revoked_at: sql`coalesce(revoked_at, ${at})`,
        last_used_at: null,
      })
      .where('account_id', '=', id)
      .execute()
    await sql`delete from auth_user where "accountId" = ${id}`.execute(trx) // cascades to sessions and password
    return true
  })
}

/** Makes a key, on the draft's plan or else the account's, unless that plan allows no more. */
export function createKey(
  kysely: Kysely<Schema>,
  id: string,
  draft: KeyDraft,
): Promise<Key | 'no account' | 'key limit'> {
  return inTransaction(kysely, async (trx) => {
    // Changes nothing, but locks the account's row, so that on both databases concurrent requests for keys wait.
    const account = await trx
      .updateTable('accounts')
      .set({ plan: sql.ref('plan') })
      .where('id', '=', draft.accountId)
      .where('deleted_at', 'is', null)
      .returning(['email', 'plan', 'claimed_at'])
      .executeTakeFirst()
    if (account === undefined) return 'no account'
    const { plan = account.plan, seen } = draft
    // A request that was made before the account was claimed must leave no key behind.
    if (seen !== undefined && seen.claimedAt !== account.claimed_at) return 'no account'
    const madeBy = makerOf(seen)
    const limit = PLANS[plan].activeKeys
    if (limit !== null && (await countActiveKeys(trx, draft.accountId)) >= limit) return 'key limit'
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
        made_by: madeBy,
        last_used_at: null,
        revoked_at: null,
      })
      .execute()
    const unset = { lastUsedAt: null, revokedAt: null }
    return { id, accountId, account: account.email, plan, name, prefix, createdAt, madeBy, ...unset }
  })
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

/** An account's keys in order of creation, including revoked ones. */
export async function keysOf(kysely: Kysely<Schema>, accountId: string): Promise<readonly Key[]> {
  const query = selectKeys(kysely).where('api_keys.account_id', '=', accountId)
  return (await query.orderBy('api_keys.created_at').orderBy('api_keys.id').execute()).map(keyOf)
}

/** All keys in order of creation, one statement per page. */
export function keyPages(kysely: Kysely<Schema>): AsyncGenerator<readonly Key[]> {
  return pagesOf(async (last: Key | undefined) => {
    const query = selectKeys(kysely).where(madeAfter('api_keys', last))
    return (await query.orderBy('api_keys.created_at').orderBy('api_keys.id').limit(PAGE).execute()).map(keyOf)
  })
}

/** Revokes a key permanently; returns its new state, or undefined if it does not exist (in that account). */
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

function accountOf(row: Selectable<AccountsTable>): Account {
  const { id, email, plan, created_at, made_by, claimed_at } = row
  return { id, email, plan, createdAt: created_at, madeBy: made_by, claimedAt: claimed_at }
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
