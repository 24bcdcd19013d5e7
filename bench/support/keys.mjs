/* Writes thousands of accounts and keys straight into a database, even while a server is using it. */
import { createHash, randomBytes } from 'node:crypto'
import { openDatabase } from '../../packages/service/dist/store/open.js'

const ROWS_AT_ONCE = 1_000
const hash = (text) => createHash('sha256').update(text).digest('hex')
const numbers = (count) => Array.from({ length: count }, (_, i) => i)

/**
 * Creates accounts on Pro and distributes keys among them. `group` keeps those of separate calls distinct.
 * @returns the keys' tokens
 */
export async function makeKeys(databaseUrl, { accounts, keys = accounts, group = '' }) {
  const { store, kysely } = await openDatabase(databaseUrl, randomBytes)
  const created_at = Date.now()
  const token = (i) => `kf_live_${hash(`bench ${group} ${i}`)}`
  const accountId = (i) => `account ${group} ${i % accounts}`
  const people = numbers(accounts).map((i) => ({
    id: accountId(i),
    email: `bench${group}${i}@example.org`,
    plan: 'pro',
    created_at,
  }))
  const made = numbers(keys).map((i) => ({
    id: `key ${group} ${i}`,
    account_id: accountId(i),
    name: 'bench',
    prefix: 'kf_live_0000',
    hash: hash(token(i)),
    created_at,
  }))
  await insert(kysely, 'accounts', people)
  await insert(kysely, 'api_keys', made)
  await store.close()
  return numbers(keys).map(token)
}

async function insert(kysely, table, rows) {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await kysely
      .insertInto(table)
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute()
  }
}
