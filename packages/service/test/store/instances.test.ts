import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startPostgres } from '../../../../tests/support/postgres.ts'
import type { OpenDatabase } from '../../src/store/open.ts'
import type { Admission, KeyHolder, Store } from '../../src/store/store.ts'
import { admitted, charge, FAILED, imbalances, MONTH, NOON, newHolder, OK, postgresDatabases, used } from './support.ts'

const databases = postgresDatabases()

/** Two instances over one database. */
async function twoInstances(): Promise<readonly [OpenDatabase, OpenDatabase]> {
  const address = await databases.create()
  return [await databases.open(address), await databases.open(address)]
}

function count(admissions: readonly Admission[], outcome: Admission['outcome']): number {
  return admissions.filter((admission) => admission.outcome === outcome).length
}

describe('two instances over one PostgreSQL', () => {
  test('40 at once at the edge of an allowance: exactly what fits, wherever it was asked', async () => {
    const [one, two] = await twoInstances()
    const holder = await newHolder(one.store)
    for (let i = 0; i < 4; i += 1) await admitted(one.store, holder, 200)
    const admissions = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).store.admit(charge(holder, 9))),
    )
    expect(count(admissions, 'admitted')).toBe(22)
    expect(count(admissions, 'month spent')).toBe(18)
    expect(await used(two.store, holder)).toBe(998)
    expect(await imbalances(one, [holder.accountId])).toEqual([])
  })

  test('40 at once of one address: exactly what fits its day', async () => {
    const [one, two] = await twoInstances()
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 === 0 ? one : two).store.admitKeyless({ client: 'c', at: NOON, units: 30 }),
      ),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(16)
  })

  test('batches over many accounts neither deadlock nor lose an entry', async () => {
    const [one, two] = await twoInstances()
    const holders: KeyHolder[] = []
    for (let i = 0; i < 30; i += 1) holders.push(await newHolder(one.store, 'pro'))
    /** Walks over all accounts in an order of its own and does of each kind something. */
    const work = async (store: Store, stride: number): Promise<number> => {
      let kept = 0
      const call = async (i: number): Promise<void> => {
        const holder = holders[(i * stride) % holders.length]
        if (holder === undefined) return
        const ticket = await admitted(store, holder, 3)
        if (i % 5 === 0) return store.refund(ticket, FAILED)
        kept += 3
        await store.complete(ticket, OK)
        await store.recordRefusal({ holder, at: NOON, mode: 'rows', rows: 1, status: 413, durationMs: 1 })
      }
      await Promise.all(Array.from({ length: 600 }, (_, i) => call(i)))
      return kept
    }
    const [keptByOne, keptByTwo] = await Promise.all([work(one.store, 7), work(two.store, 29)])

    const months = await one.store.months({ month: MONTH })
    expect(months.reduce((sum, month) => sum + month.used, 0)).toBe(keptByOne + keptByTwo)
    expect(await one.store.events({ month: MONTH })).toHaveLength(1_200 + 960)
    const ids = holders.map(({ accountId }) => accountId)
    expect(await imbalances(one, ids)).toEqual([])
    expect(await deadlocks(one)).toBe(0)
  })

  test('a deadlock that is lost all the same is tried again', async () => {
    const [one, two] = await twoInstances()
    const [a, b] = [await newHolder(one.store), await newHolder(one.store)].sort((x, y) =>
      x.accountId < y.accountId ? -1 : 1,
    )
    if (a === undefined || b === undefined) throw new Error('no holders')
    for (const holder of [a, b]) await admitted(one.store, holder, 1)
    const hold = (trx: Queries, { accountId }: KeyHolder): Promise<unknown> =>
      sql`update usage_months set used = used where account_id = ${accountId}`.execute(trx)
    // A stranger holds the rows in the other order than the books do and is the more patient of the two.
    const admissions = await one.kysely.transaction().execute(async (trx) => {
      await sql`set local deadlock_timeout = '1h'`.execute(trx)
      await hold(trx, b)
      const both = Promise.all([one.store.admit(charge(a, 2)), one.store.admit(charge(b, 2))])
      await somebodyWaits(two)
      await hold(trx, a)
      return { both }
    })
    expect(count(await admissions.both, 'admitted')).toBe(2)
    expect([await used(one.store, a), await used(one.store, b)]).toEqual([3, 3])
    expect(await deadlocks(two)).toBe(1)
  })

  test('instances that start together migrate once', async () => {
    const address = await databases.create()
    const opened = await Promise.all(Array.from({ length: 4 }, () => databases.open(address)))
    for (const { store } of opened) await store.ready()
  })
})

type Queries = OpenDatabase['kysely']

/** Deadlocks that this database has seen. */
async function deadlocks({ kysely }: OpenDatabase): Promise<unknown> {
  const query = sql<{ deadlocks: number }>`select deadlocks from pg_stat_database where datname = current_database()`
  return (await query.execute(kysely)).rows[0]?.deadlocks
}

/** Until a transaction waits for a row that another one holds. */
async function somebodyWaits({ kysely }: OpenDatabase): Promise<void> {
  const query = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await query.execute(kysely)).rows.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('a database that goes away', () => {
  test('charges, look-ups and readiness reject; when it is back all goes on, and the books balance', async () => {
    const server = await startPostgres({ durable: true })
    try {
      const database = await databases.open(await server.createDatabase())
      const { store } = database
      const holder = await newHolder(store)
      await admitted(store, holder, 5)
      await server.crash()
      await expect(store.admit(charge(holder, 1))).rejects.toThrow()
      await expect(store.findHolder('hash')).rejects.toThrow()
      await expect(store.ready()).rejects.toThrow()
      await server.restart()
      await admitted(store, holder, 7)
      expect(await used(store, holder)).toBe(12)
      expect(await imbalances(database, [holder.accountId])).toEqual([])
    } finally {
      await server.stop()
    }
  })
})
