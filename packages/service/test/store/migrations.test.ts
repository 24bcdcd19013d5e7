import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { usesPostgres } from '../../../../tests/support/store-selection.ts'
import { accountsKeysLedger } from '../../src/store/migrations/001-accounts-keys-ledger.ts'
import { users } from '../../src/store/migrations/002-users.ts'
import { openDatabase } from '../../src/store/open.ts'
import { openForWriting } from '../../src/store/sqlite-driver.ts'
import { admitted, all, describeBothStores, hashOf, MONTH, NOON, newHolder, postgresDatabases } from './support.ts'

/** Content from before it was recorded who created accounts and keys: an account of a user and one of the operator. */
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
  test('keeps accounts, keys and usage; sessions end, and the key for hashing addresses is deleted', async () => {
    const address = await databases.create()
    await writeFirstVersion(address)
    const { store, kysely, reports } = await openDatabase(address, randomBytes)

    expect(await store.findHolder(hashOf('of the person'))).toEqual({ keyId: 'pk', accountId: 'p', plan: 'pro' })
    expect(await store.usedUnits('p', MONTH)).toBe(7)
    expect(await all(store.eventPages({ accountId: 'p', month: MONTH }))).toMatchObject([{ units: 7, status: 200 }])
    expect(await store.days({ accountId: 'p', month: MONTH })).toMatchObject([{ calls: 1, rows: 7, units: 7 }])
    expect(await store.imbalances()).toEqual([])
    // It is not known who created what: what a user could have created counts as theirs.
    expect(await all(store.accountPages())).toMatchObject([
      { id: 'o', madeBy: 'operator', claimedAt: null },
      { id: 'p', madeBy: 'sign-up', claimedAt: null },
    ])
    expect(await all(store.keyPages())).toMatchObject([
      { id: 'ok', madeBy: 'operator' },
      { id: 'pk', madeBy: 'sign-up' },
    ])
    expect(await reports.selectFrom('keyless_days').selectAll().execute()).toEqual([])
    expect((await sql`select * from installation`.execute(kysely)).rows).toEqual([])
    await store.close()
  })
})

/** Programs of earlier schemas, by the newest migration that they know, and how they identify an event. */
const EARLIER_PROGRAMS = [
  { step: 2, event: '' },
  { step: 4, event: "charge_id = 'c' and" },
]

describeBothStores('programs of earlier schemas work with the newest schema', (databases) => {
  test.each(EARLIER_PROGRAMS)('the program of migration $step', async ({ step, event }) => {
    const { store, kysely } = await databases.open(await databases.create())
    const charge = step < 4 ? ['', ''] : ['charge_id, ', "'c', "]
    const statements = [
      `insert into accounts (id, email, plan, created_at) values ('a', 'a@example.org', 'pro', ${NOON})`,
      `insert into api_keys (id, account_id, name, prefix, hash, created_at)
       values ('k', 'a', 'k', 'kf_live_0123', '${hashOf('its token')}', ${NOON})`,
      `insert into usage_months (account_id, month, used) values ('a', '${MONTH}', 3)`,
      `insert into usage_events (${charge[0]}account_id, key_id, at, mode, rows, units)
       values (${charge[1]}'a', 'k', ${NOON}, 'lines', 3, 3)`,
      `update usage_events set status = 200, removed = 1, duration_ms = 2 where ${event} account_id = 'a' and at = ${NOON}`,
      `insert into keyless_days (day, client, used) values ('2026-03-15', 'hash', 1)
       on conflict (day, client) do update set used = keyless_days.used + excluded.used`,
      `select value from installation where name = 'address secret'`,
    ]
    for (const statement of step < 4 ? statements : statements.slice(0, -1)) await sql.raw(statement).execute(kysely)
    expect(await store.findHolder(hashOf('its token'))).toEqual({ keyId: 'k', accountId: 'a', plan: 'pro' })
    expect(await all(store.eventPages({ accountId: 'a', month: MONTH }))).toMatchObject([
      { units: 3, removed: 1, status: 200 },
    ])
    expect(await store.days({ accountId: 'a', month: MONTH })).toMatchObject([
      { calls: 1, rows: 3, removed: 1, units: 3 },
    ])
    expect(await store.imbalances()).toEqual([])
  })

  test('this program runs on a newer schema that allows it, without changing it, but not on one that requires a newer program', async () => {
    const address = await databases.create()
    const { store, kysely } = await openDatabase(address, randomBytes)
    await kysely.insertInto('schema_migrations').values({ number: 1_000, oldest_program: 5 }).execute()
    await store.close()
    const again = await openDatabase(address, randomBytes)
    await again.store.ensureAccount('a@example.org', NOON)
    await again.kysely.insertInto('schema_migrations').values({ number: 1_001, oldest_program: 1_001 }).execute()
    await again.store.close()
    await expect(openDatabase(address, randomBytes)).rejects.toThrow(
      /^cannot open the database .*: it was written by a newer version of this program$/,
    )
  })
})

describe.runIf(usesPostgres)('a PostgreSQL role that may only read and write', () => {
  const databases = postgresDatabases()

  test('works with an up-to-date schema; otherwise the error says what to do', async () => {
    const address = await databases.create()
    const owner = await databases.open(address)
    const role = `writer_${randomBytes(4).toString('hex')}`
    const grants = [
      `create role ${role} login`,
      'revoke create on schema public from public',
      `grant select, insert, update, delete on all tables in schema public to ${role}`,
    ]
    for (const grant of grants) await sql.raw(grant).execute(owner.kysely)
    const writer = new URL(address)
    writer.username = role
    const { store } = await databases.open(writer.href)
    await admitted(store, await newHolder(store), 1)
    await store.prune(NOON, 90) // without partitions for coming days

    await owner.kysely.deleteFrom('schema_migrations').where('number', '>=', 5).execute()
    await expect(openDatabase(writer.href, randomBytes)).rejects.toThrow(
      /its schema is older than this program, and this role may not change it: run "keepfirst migrate"/,
    )
  })
})

/** Writes the first two migrations and the content with the bare driver. */
async function writeFirstVersion(address: string): Promise<void> {
  const isSqlite = address.startsWith('sqlite:')
  const types = isSqlite
    ? {
        kind: 'sqlite' as const,
        integer: 'integer',
        generatedId: 'integer primary key autoincrement',
        instant: 'date',
        boolean: 'integer',
      }
    : {
        kind: 'postgres' as const,
        integer: 'bigint',
        generatedId: 'bigint generated always as identity primary key',
        instant: 'timestamptz',
        boolean: 'boolean',
      }
  const statements = [
    'create table schema_migrations (number integer primary key)',
    ...accountsKeysLedger.statements(types),
    ...users.statements(types),
    'insert into schema_migrations (number) values (1), (2)',
    ...CONTENT,
  ]
  if (isSqlite) {
    const database = openForWriting(address.slice('sqlite:'.length))
    for (const statement of statements) database.exec(statement)
    database.close()
  } else {
    const client = new pg.Client(address)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
}
