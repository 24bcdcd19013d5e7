import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startPostgres } from '../../../../tests/support/postgres.ts'
import type { OpenDatabase } from '../../src/store/open.ts'
import type { Admission, KeyHolder, Store } from '../../src/store/store.ts'
import {
  admitted,
  all,
  charge,
  FAILED,
  imbalances,
  MONTH,
  NOON,
  newHolder,
  OK,
  postgresDatabases,
  used,
} from './support.ts'

const databases = postgresDatabases()

/** Two instances on one database. */
async function twoInstances(): Promise<readonly [OpenDatabase, OpenDatabase]> {
  const address = await databases.create()
  return [await databases.open(address), await databases.open(address)]
}

function count(admissions: readonly Admission[], outcome: Admission['outcome']): number {
  return admissions.filter((admission) => admission.outcome === outcome).length
}

describe('two instances on one PostgreSQL database', () => {
  test('40 at once near the end of an allowance: exactly as many as fit are admitted', async () => {
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

  test('40 at once from one address: exactly as many as fit are admitted', async () => {
    const [one, two] = await twoInstances()
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 === 0 ? one : two).store.admitKeyless({ addressHash: 'c', at: NOON, units: 30 }),
      ),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(16)
  })

  test('batches with many accounts neither deadlock nor lose entries', async () => {
    const [one, two] = await twoInstances()
    const holders: KeyHolder[] = []
    for (let i = 0; i < 30; i += 1) holders.push(await newHolder(one.store, 'pro'))
    /** Charges, refunds, completes and refuses calls of all accounts, in an order that depends on `stride`. */
    const work = async (store: Store, stride: number): Promise<number> => {
      let kept = 0
      const call = async (i: number): Promise<void> => {
        const holder = holders[(i * stride) % holders.length]
        if (holder === undefined) return
        const ticket = await admitted(store, holder, 3)
        if (i % 5 === 0) return store.refund(ticket, FAILED)
        kept += 3
        store.complete(ticket, OK)
        store.recordRefusal({ holder, at: NOON, mode: 'rows', rows: 1, status: 413, durationMs: 1 })
      }
      await Promise.all(Array.from({ length: 600 }, (_, i) => call(i)))
      await store.flush()
      return kept
    }
    const [keptByOne, keptByTwo] = await Promise.all([work(one.store, 7), work(two.store, 29)])

    const months = await all(one.store.monthPages({ month: MONTH }))
    expect(months.reduce((sum, month) => sum + month.used, 0)).toBe(keptByOne + keptByTwo)
    expect(await all(one.store.eventPages({ month: MONTH }))).toHaveLength(1_200 + 960)
    const ids = holders.map(({ accountId }) => accountId)
    expect(await imbalances(one, ids)).toEqual([])
    expect(await deadlocks(one)).toBe(0)
  })

  test('under serialisable isolation, conflicts are retried, and no request is refused because of one', async () => {
    const address = await databases.create()
    const { kysely } = await databases.open(address)
    await sql`do $$ begin
      execute format('alter database %I set default_transaction_isolation = serializable', current_database());
    end $$`.execute(kysely)
    const [one, two] = [await databases.open(address), await databases.open(address)]
    const holders = [await newHolder(one.store, 'pro'), await newHolder(one.store, 'pro')]
    const work = ({ store }: OpenDatabase): Promise<unknown> =>
      Promise.all(holders.flatMap((holder) => Array.from({ length: 50 }, () => admitted(store, holder, 2))))
    await Promise.all([work(one), work(two)])
    for (const holder of holders) expect(await used(two.store, holder)).toBe(200)
    expect(await one.store.imbalances()).toEqual([])
  })

  test('instances that start together run migrations once', async () => {
    const address = await databases.create()
    const opened = await Promise.all(Array.from({ length: 4 }, () => databases.open(address)))
    for (const { store } of opened) await store.ready()
    const { kysely } = await databases.open(address)
    const steps = await kysely.selectFrom('schema_migrations').select('number').orderBy('number').execute()
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, i) => i + 1))
  })
})

/** How many deadlocks have occurred in this database. */
async function deadlocks({ kysely }: OpenDatabase): Promise<unknown> {
  const query = sql<{ deadlocks: number }>`select deadlocks from pg_stat_database where datname = current_database()`
  return (await query.execute(kysely)).rows[0]?.deadlocks
}

describe('a database that is temporarily unavailable', () => {
  test('charges, look-ups and readiness reject; afterwards all work again, and the ledger balances', async () => {
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
