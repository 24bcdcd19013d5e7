import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseForPooling, type PgBouncer, startPgBouncer } from '../../../../tests/support/pgbouncer.ts'
import { sharedPostgres } from '../../../../tests/support/shared-postgres.ts'
import { type OpenDatabase, openDatabase } from '../../src/store/open.ts'
import type { KeyHolder } from '../../src/store/store.ts'
import { admitted, charge, FAILED, imbalances, NOON, newHolder, OK, used } from './support.ts'

/* A real PgBouncer in transaction mode: consecutive statements of a client may use any of three connections. */

let pooler: PgBouncer
let instances: readonly OpenDatabase[] = []

beforeAll(async () => {
  const address = await createDatabaseForPooling(await sharedPostgres())
  pooler = await startPgBouncer(address)
  const through = pooler.through(address)
  const open = () => openDatabase(through, randomBytes, { isPooled: true })
  // Opened together: migrations hold an advisory lock for the duration of a transaction.
  instances = await Promise.all([open(), open()])
})

afterAll(async () => {
  for (const { store } of instances) await store.close()
  await pooler.stop()
})

test('two instances charge, complete and refund at the same time, and the ledger balances', async () => {
  const holders: KeyHolder[] = []
  const [first] = instances
  if (first === undefined) throw new Error('no instance')
  for (let i = 0; i < 10; i++) holders.push(await newHolder(first.store, 'pro'))
  const work = async ({ store }: OpenDatabase, stride: number): Promise<void> => {
    const call = async (i: number): Promise<void> => {
      const holder = holders[(i * stride) % holders.length]
      if (holder === undefined) return
      const ticket = await admitted(store, holder, 3)
      if (i % 5 === 0) await store.refund(ticket, FAILED)
      else store.complete(ticket, OK)
    }
    await Promise.all(Array.from({ length: 200 }, (_, i) => call(i)))
  }
  await Promise.all(instances.map((instance, number) => work(instance, 1 + 2 * number)))
  const ids = holders.map(({ accountId }) => accountId)
  expect(await imbalances(first, ids)).toEqual([])
  const sums = await Promise.all(holders.map((holder) => used(first.store, holder)))
  expect(sums.reduce((a, b) => a + b)).toBe(2 * 160 * 3)
})

test('40 at once near the end of an allowance: exactly as many as fit are admitted', async () => {
  const [one, two] = instances
  if (one === undefined || two === undefined) throw new Error('no instances')
  const holder = await newHolder(one.store)
  for (let i = 0; i < 4; i++) await admitted(one.store, holder, 200)
  const admissions = await Promise.all(
    Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? one : two).store.admit(charge(holder, 9))),
  )
  expect(admissions.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(22)
  expect(await used(two.store, holder)).toBe(998)
})

test('old events are pruned, and reports can be read', async () => {
  const [one] = instances
  if (one === undefined) throw new Error('no instance')
  const holder = await newHolder(one.store, 'pro')
  await admitted(one.store, holder, 7)
  await one.store.prune(NOON + 200 * 86_400_000, 90)
  expect(await used(one.store, holder)).toBe(7)
  expect(await imbalances(one, [holder.accountId])).toEqual([])
})
