import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createStore } from '../../src/store/create-store.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { DatabaseOverSqlite } from '../../src/store/sqlite.ts'
import { openForWriting } from '../../src/store/sqlite-driver.ts'
import { executeHere } from '../support/execute-here.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { admitted, all, FAILED, HOUR, NOON, newHolder, OK, used } from './support.ts'

const DAY = 24 * HOUR

test('a store works with a database in this thread and the clock of a test', async () => {
  const handle = openForWriting(':memory:')
  const executor = executeHere(handle)
  const database = new DatabaseOverSqlite({ writer: executor, openReports: () => executor, openLookups: () => handle })
  await migrate(database)
  const store = createStore(database, { randomBytes, clock: new ManualClock(NOON) })
  const holder = await newHolder(store)
  await store.refund(await admitted(store, holder, 5), FAILED)
  store.complete(await admitted(store, holder, 7), OK)
  await store.flush()
  expect(await used(store, holder)).toBe(7)
  expect((await all(store.eventPages({ month: '2026-03' }))).map(({ units, status }) => [units, status])).toEqual([
    [0, 500],
    [7, 200],
  ])
  expect(await store.imbalances()).toEqual([])
  await store.close()
})

test('a clock that jumps forward and back does not end a day early', async () => {
  const handle = openForWriting(':memory:')
  const executor = executeHere(handle)
  const database = new DatabaseOverSqlite({ writer: executor, openReports: () => executor, openLookups: () => handle })
  await migrate(database)
  const clock = new ManualClock(NOON)
  const store = createStore(database, { randomBytes, clock })
  const charge = async (units: number) =>
    (await store.admitKeyless({ addressHash: 'c', at: clock.now(), units })).outcome
  const pruned = async (): Promise<number> => {
    await store.prune(clock.now(), 90)
    return (await database.kysely.selectFrom('keyless_days').selectAll().execute()).length
  }
  expect(await charge(500)).toBe('admitted')
  clock.jump(2 * DAY)
  expect(await pruned()).toBe(1)
  await clock.advance(60_000)
  expect(await pruned()).toBe(1)
  clock.jump(-2 * DAY)
  expect(await pruned()).toBe(1)
  expect(await charge(1)).toBe('day spent')

  // After an hour, a new time of the clock is trusted.
  await clock.advance(DAY)
  expect(await pruned()).toBe(0)
  await store.close()
})
