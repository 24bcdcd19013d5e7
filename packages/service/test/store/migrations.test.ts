import { randomBytes } from 'node:crypto'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import { accountsKeysLedger } from '../../src/store/migrations/001-accounts-keys-ledger.ts'
import { people } from '../../src/store/migrations/002-people.ts'
import { openDatabase } from '../../src/store/open.ts'
import { describeBothStores, hashOf, MONTH, NOON } from './support.ts'

/** What the database held before accounts and keys knew who made them: one account of a person, one of the operator. */
const CONTENT = [
  `insert into accounts (id, email, plan, created_at) values ('p', 'person@example.org', 'pro', ${NOON}),
   ('o', 'operator@example.org', 'starter', ${NOON})`,
  `insert into api_keys (id, account_id, name, prefix, hash, created_at) values
   ('pk', 'p', 'k', 'kf_live_0123', '${hashOf('of the person')}', ${NOON}),
   ('ok', 'o', 'k', 'kf_live_4567', '${hashOf('of the operator')}', ${NOON})`,
  `insert into usage_months (account_id, month, used) values ('p', '${MONTH}', 7)`,
  `insert into usage_events (account_id, key_id, at, mode, rows, units, status) values ('p', 'pk', ${NOON}, 'lines', 7, 7, 200)`,
  "insert into installation (name, value) values ('address secret', 'in the database')",
  "insert into keyless_days (day, client, used) values ('2026-03-15', 'hash', 1)",
  `insert into auth_user ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "accountId") values
   ('u', '', 'person@example.org', '0', '2026-03-15', '2026-03-15', 'p')`,
  `insert into auth_session ("id", "expiresAt", "token", "createdAt", "updatedAt", "userId") values
   ('s', '2026-03-22', 'a token in clear', '2026-03-15', '2026-03-15', 'u')`,
]

describeBothStores('a database of the first version', (databases) => {
  test('keeps accounts, keys and usage; sessions end once, and what keyed the hash of addresses is gone', async () => {
    const address = await databases.create()
    await writeFirstVersion(address)
    const { store, kysely, reports } = await openDatabase(address, randomBytes)

    expect(await store.findHolder(hashOf('of the person'))).toEqual({ keyId: 'pk', accountId: 'p', plan: 'pro' })
    expect(await store.usedUnits('p', MONTH)).toBe(7)
    expect(await store.events({ accountId: 'p', month: MONTH })).toMatchObject([{ units: 7, status: 200 }])
    expect(await store.imbalances()).toEqual([])
    // Who made what can't be told any more: what a person could have made counts as theirs.
    expect(await store.listAccounts()).toMatchObject([
      { id: 'o', madeBy: 'operator', claimedAt: null },
      { id: 'p', madeBy: 'sign-up', claimedAt: null },
    ])
    expect(await store.listKeys()).toMatchObject([
      { id: 'ok', madeBy: 'operator' },
      { id: 'pk', madeBy: 'sign-up' },
    ])
    expect(await reports.selectFrom('keyless_days').selectAll().execute()).toEqual([])
    const tables = await kysely.introspection.getTables()
    expect(tables.map(({ name }) => name)).not.toContain('installation')
    await store.close()
  })
})

/** The first two migrations and the content, written by the bare driver. */
async function writeFirstVersion(address: string): Promise<void> {
  const isSqlite = address.startsWith('sqlite:')
  const spelling = isSqlite
    ? { integer: 'integer', generatedId: 'integer primary key autoincrement', instant: 'date', boolean: 'integer' }
    : {
        integer: 'bigint',
        generatedId: 'bigint generated always as identity primary key',
        instant: 'timestamptz',
        boolean: 'boolean',
      }
  const statements = [
    'create table schema_migrations (number integer primary key)',
    ...accountsKeysLedger.statements(spelling),
    ...people.statements(spelling),
    'insert into schema_migrations (number) values (1), (2)',
    ...CONTENT,
  ]
  if (isSqlite) {
    const database = new Sqlite(address.slice('sqlite:'.length))
    for (const statement of statements) database.exec(statement)
    database.close()
  } else {
    const client = new pg.Client(address)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
}
