import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/store/open.ts'
import { admitted, DAY, FAILED, imbalances, NOON, newHolder, OK, postgresDatabases } from './support.ts'

const databases = postgresDatabases()
const TODAY = NOON - DAY / 2

/** Partitions that contain events, and how many. */
async function filled({ kysely }: OpenDatabase): Promise<readonly (readonly [string, number])[]> {
  const { rows } = await sql<{ name: string; count: number }>`
    select tableoid::regclass::text as name, count(*) as count from usage_events group by 1 order by 1`.execute(kysely)
  return rows.map(({ name, count }) => [name, Number(count)])
}

/** The days that have a partition of their own. */
async function days({ kysely }: OpenDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ day: string }>`select substring(c.relname from '\\d{8}$') as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass order by 1`.execute(kysely)
  return rows.map(({ day }) => day).filter((day) => day !== null)
}

interface Filled {
  readonly address: string
  readonly database: OpenDatabase
  readonly accountId: string
}

/** A database with a completed and a refunded call on each of `days` days, and partitions for them. */
async function withDays(days: number): Promise<Filled> {
  const address = await databases.create()
  const database = await databases.open(address)
  await database.kysely.deleteFrom('usage_events').execute()
  await sql`drop table usage_events_before`.execute(database.kysely)
  const { store } = database
  const holder = await newHolder(store, 'pro')
  for (let day = 0; day < days; day += 1) {
    await store.prune(TODAY + day * DAY, 90)
    const ticket = await admitted(store, holder, 5, TODAY + (day + 1) * DAY)
    if (ticket.kind === 'keyed') store.complete(ticket, OK)
    await store.refund(await admitted(store, holder, 7, TODAY + (day + 1) * DAY + 1), FAILED)
  }
  await store.flush()
  return { address, database, accountId: holder.accountId }
}

test('each day has its own partition, which is rolled up as a whole', async () => {
  const { database, accountId } = await withDays(4)
  const names = ['16', '17', '18', '19'].map((day) => `usage_events_202603${day}`)
  expect(await filled(database)).toEqual(names.map((name) => [name, 2]))

  const before = await database.store.days({ month: '2026-03', accountId })
  await database.store.prune(TODAY + 93 * DAY, 90)
  expect(await filled(database)).toEqual(names.slice(2).map((name) => [name, 2]))
  expect(await database.store.days({ month: '2026-03', accountId })).toEqual(before)
  expect(await imbalances(database, [accountId])).toEqual([])
})

test('the next three days have partitions, and days whose events are old lose theirs', async () => {
  const { database } = await withDays(4)
  const march = ['18', '19', '20', '21'].map((day) => `202603${day}`)
  expect(await days(database)).toEqual(['20260316', '20260317', ...march])
  // A day may be missing between others, for instance after an outage.
  await sql`drop table usage_events_20260320`.execute(database.kysely)
  await database.store.prune(TODAY + 3 * DAY, 90)
  expect(await days(database)).toEqual(['20260316', '20260317', ...march])

  await database.store.prune(TODAY + 93 * DAY, 90)
  expect(await days(database)).toEqual([...march, '20260617', '20260618', '20260619'])

  // The work has its own connections, which are closed after it.
  const open = () =>
    sql`select from pg_stat_activity where datname = current_database() and application_name = 'keepfirst migrations'`
      .execute(database.kysely)
      .then(({ rows }) => rows.length)
  await expect.poll(open).toBe(0)
})

test('a partition that somebody reads for long is dropped the next time', async () => {
  const { address, database, accountId } = await withDays(1)
  const { store } = database
  const other = await databases.open(address)
  await other.kysely.transaction().execute(async (reader) => {
    await sql`select from usage_events_20260316`.execute(reader)
    await store.prune(TODAY + 92 * DAY, 90)
    expect(await days(database)).toContain('20260316')
  })
  expect(await filled(database)).toEqual([])
  await store.prune(TODAY + 92 * DAY, 90)
  expect(await days(database)).not.toContain('20260316')
  expect(await imbalances(database, [accountId])).toEqual([])
})

test('a day whose name is taken gets no partition; any other failure is reported', async () => {
  const { database } = await withDays(1)
  const { store, kysely } = database
  await sql`create table usage_events_20260320 ()`.execute(kysely)
  await store.prune(TODAY + 3 * DAY, 90)
  expect(await days(database)).toEqual(['16', '17', '18', '19', '21'].map((day) => `202603${day}`))

  await sql`create function refuse() returns event_trigger language plpgsql as 'begin raise ''refused''; end'`.execute(
    kysely,
  )
  await sql`create event trigger refuse on ddl_command_start execute function refuse()`.execute(kysely)
  await expect(store.prune(TODAY + 4 * DAY, 90)).rejects.toThrow('refused')
})

test('a day whose partition was dropped by a program of an earlier schema is counted once', async () => {
  const { database, accountId } = await withDays(1)
  const query = { month: '2026-03', accountId }
  const before = await database.store.days(query)
  await sql`with gone as (select * from usage_events_20260316)
    insert into usage_days (account_id, key_id, day, mode, status, calls, rows, removed, units)
    select account_id, key_id, '2026-03-16', mode, status, count(*), sum(rows), coalesce(sum(removed), 0), sum(units)
    from gone group by account_id, key_id, mode, status`.execute(database.kysely)
  await sql`drop table usage_events_20260316`.execute(database.kysely)
  await database.store.prune(TODAY + 93 * DAY, 90)
  expect(await database.store.days(query)).toEqual(before)
  expect(await imbalances(database, [accountId])).toEqual([])
})

test('events of days without a partition go into the default one, and are rolled up from there', async () => {
  const { database, accountId } = await withDays(1)
  const { store } = database
  const holder = await newHolder(store, 'pro')
  await admitted(store, holder, 5, TODAY + 30 * DAY)
  await store.prune(TODAY + 29 * DAY, 90)
  await admitted(store, holder, 5, TODAY + 30 * DAY)
  expect(await filled(database)).toContainEqual(['usage_events_other', 2])
  await store.prune(TODAY + 121 * DAY, 90)
  expect(await filled(database)).toEqual([])
  expect(await imbalances(database, [accountId, holder.accountId])).toEqual([])
})

test('two instances may prune at the same time', async () => {
  const { database, accountId } = await withDays(3)
  const other = await databases.open(await databases.create())
  await Promise.all([database, database, other].map(({ store }) => store.prune(TODAY + 95 * DAY, 90)))
  expect(await filled(database)).toEqual([])
  expect(await imbalances(database, [accountId])).toEqual([])
})
