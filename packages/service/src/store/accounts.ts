import { FIRST_PLAN } from '@keepfirst/protocol'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'
import { madeAfter, PAGE, pagesOf } from './pages.ts'
import type { AccountsTable, Schema } from './schema.ts'
import type { Account, AccountMaker, Store } from './store.ts'
import { inTransaction } from './transaction.ts'

type AccountMethods = Pick<
  Store,
  'ensureAccount' | 'createAccount' | 'findAccount' | 'accountById' | 'accountPages' | 'setPlan' | 'deleteAccount'
>

/** The store's accounts. */
export function createAccounts({ kysely, reports }: Database, newId: () => string): AccountMethods {
  /** Undefined if the address has an account already. */
  const insert = async (email: string, createdAt: number, madeBy: AccountMaker): Promise<Account | undefined> => {
    const row = await kysely
      .insertInto('accounts')
      .values({
        id: newId(),
        email: email.toLowerCase(),
        plan: FIRST_PLAN,
        created_at: createdAt,
        made_by: madeBy,
        claimed_at: null,
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
    return row && accountOf(row)
  }
  const withEmail = (email: string) => selectAccounts(kysely).where('email', '=', email.toLowerCase())
  return {
    async ensureAccount(email, at) {
      return (await insert(email, at, 'operator')) ?? accountOf(await withEmail(email).executeTakeFirstOrThrow())
    },
    createAccount: (email, at) => insert(email, at, 'sign-up'),
    async findAccount(email) {
      const row = await withEmail(email).executeTakeFirst()
      return row && accountOf(row)
    },
    async accountById(id) {
      const row = await selectAccounts(kysely).where('id', '=', id).executeTakeFirst()
      return row && accountOf(row)
    },
    accountPages() {
      return pagesOf(async (last: Account | undefined) => {
        const query = selectAccounts(reports).where(madeAfter('accounts', last))
        return (await query.orderBy('created_at').orderBy('id').limit(PAGE).execute()).map(accountOf)
      })
    },
    async setPlan(id, plan) {
      const update = kysely.updateTable('accounts').set({ plan }).where('id', '=', id).returningAll()
      const row = await update.executeTakeFirst()
      return row && accountOf(row)
    },
    deleteAccount: (id, at) => inTransaction(kysely, (trx) => removePersonalData(trx, id, at)),
  }
}

/** Accounts that have not been deleted. */
function selectAccounts(kysely: Kysely<Schema>) {
  return kysely.selectFrom('accounts').selectAll().where('deleted_at', 'is', null)
}

/**
 * Hands an account over to its owner: keys made after a sign-up are revoked; keys made by the operator, or by the owner
 * after an earlier claim, are kept.
 * @param trx the transaction that also uses up the claim, ends sessions and sets the new password
 * @returns the account; undefined if there is none, or it was deleted
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

/** The rows remain without it, so that the totals stay correct. */
async function removePersonalData(trx: Transaction<Schema>, id: string, at: number): Promise<boolean> {
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
}

function accountOf(row: Selectable<AccountsTable>): Account {
  const { id, email, plan, created_at, made_by, claimed_at } = row
  return { id, email, plan, createdAt: created_at, madeBy: made_by, claimedAt: claimed_at }
}
