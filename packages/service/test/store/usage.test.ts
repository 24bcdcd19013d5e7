import { expect, test } from 'vitest'
import { SINGLE_REFUSALS } from '../../src/store/notes.ts'
import type { Charge, EventQuery, KeyHolder, RefusedCall, Store } from '../../src/store/store.ts'
import {
  admitted,
  all,
  DAY,
  describeBothStores,
  FAILED,
  HOUR,
  imbalances,
  MONTH,
  NOON,
  newHolder,
  OK,
  used,
} from './support.ts'

function refusal(holder: KeyHolder, at: number = NOON): RefusedCall {
  return { holder, at, mode: 'rows', rows: 7, status: 429, durationMs: 1.4 }
}

/** A month with calls of each kind: answered, failed, running, refused. */
async function busyDay(store: Store, holder: KeyHolder): Promise<void> {
  store.complete(await admitted(store, holder, 10, NOON), OK)
  await store.refund(await admitted(store, holder, 20, NOON + 1), FAILED)
  await admitted(store, holder, 30, NOON + 2)
  store.recordRefusal(refusal(holder, NOON + 3))
  store.recordRefusal({ ...refusal(holder, NOON + 4), mode: null, rows: null, status: 413 })
  store.complete(await admitted(store, holder, 40, NOON + DAY), { ...OK, removed: 4 })
  await store.flush()
}

describeBothStores('the events of an account', (databases) => {
  test('record the outcome of each call, oldest first', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store, 'pro', 'events@example.org')
    await busyDay(store, holder)
    const events = await all(store.eventPages({ accountId: holder.accountId, month: MONTH }))
    const known = { account: 'events@example.org', keyId: holder.keyId, keyPrefix: 'kf_live_0123' }
    expect(events).toEqual([
      { ...known, at: NOON, mode: 'lines', rows: 10, removed: 1, units: 10, status: 200, durationMs: 2 },
      { ...known, at: NOON + 1, mode: 'lines', rows: 20, removed: null, units: 0, status: 500, durationMs: 3 },
      { ...known, at: NOON + 2, mode: 'lines', rows: 30, removed: null, units: 30, status: null, durationMs: null },
      { ...known, at: NOON + 3, mode: 'rows', rows: 7, removed: null, units: 0, status: 429, durationMs: 1 },
      { ...known, at: NOON + 4, mode: null, rows: null, removed: null, units: 0, status: 413, durationMs: 1 },
      { ...known, at: NOON + DAY, mode: 'lines', rows: 40, removed: 4, units: 40, status: 200, durationMs: 2 },
    ])
    const newest = await store.newestEvents({ accountId: holder.accountId, month: MONTH, limit: 2 })
    expect(newest).toEqual(events.slice(-2))
  })

  test('are those of a month in UTC', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    await admitted(store, holder, 1, Date.UTC(2026, 2, 1) - 1)
    await admitted(store, holder, 2, Date.UTC(2026, 2, 1))
    await admitted(store, holder, 3, Date.UTC(2026, 3, 1) - 1)
    await admitted(store, holder, 4, Date.UTC(2026, 3, 1))
    const units = (await all(store.eventPages({ accountId: holder.accountId, month: MONTH }))).map(
      (event) => event.units,
    )
    expect(units).toEqual([2, 3])
  })

  test('a call that validates addresses has the mode validate', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    const charge: Charge = { holder, at: NOON, mode: 'validate', rows: 3, units: 6 }
    const admission = await store.admit(charge)
    if (admission.outcome !== 'admitted') throw new Error(admission.outcome)
    store.complete(admission.ticket, { status: 200, removed: null, durationMs: 1 })
    await store.flush()
    const [event] = await all(store.eventPages({ accountId: holder.accountId, month: MONTH }))
    expect(event).toMatchObject({ mode: 'validate', rows: 3, removed: null, units: 6, status: 200 })
  })

  test('a second refund has no effect', async () => {
    const database = await databases.shared()
    const holder = await newHolder(database.store)
    await admitted(database.store, holder, 5)
    const ticket = await admitted(database.store, holder, 7)
    await Promise.all([database.store.refund(ticket, FAILED), database.store.refund(ticket, FAILED)])
    expect(await used(database.store, holder)).toBe(5)
    expect(await imbalances(database, [holder.accountId])).toEqual([])
  })
})

describeBothStores('sums', (databases) => {
  const day = { account: 'sums@example.org', calls: 0, rows: 0, removed: 0, units: 0, refused: 0 }

  test('of days and months are the same before and after events are rolled up', async () => {
    const database = await databases.shared()
    const { store } = database
    const holder = await newHolder(store, 'pro', 'sums@example.org')
    await busyDay(store, holder)
    const sums = [
      { ...day, keyId: holder.keyId, day: '2026-03-15', mode: 'lines', calls: 3, rows: 60, removed: 1, units: 40 },
      { ...day, keyId: holder.keyId, day: '2026-03-15', mode: 'rows', refused: 1 },
      { ...day, keyId: holder.keyId, day: '2026-03-15', mode: null, refused: 1 },
      { ...day, keyId: holder.keyId, day: '2026-03-16', mode: 'lines', calls: 1, rows: 40, removed: 4, units: 40 },
    ]
    const query = { accountId: holder.accountId, month: MONTH }
    const month = { account: 'sums@example.org', plan: 'pro', month: MONTH, used: 80, calls: 4 }
    for (const { left, now } of [
      { left: 6, now: NOON },
      { left: 1, now: NOON + 91 * DAY - 1 },
      { left: 0, now: NOON + 92 * DAY },
    ]) {
      await store.prune(now, 90)
      expect(await all(store.eventPages(query))).toHaveLength(left)
      expect(await store.days(query)).toEqual(sums)
      expect(await all(store.monthPages(query))).toEqual([month])
      expect(await imbalances(database, [holder.accountId])).toEqual([])
    }
  })

  test('include accounts without usage', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store, 'starter', 'idle@example.org')
    const month = { account: 'idle@example.org', plan: 'starter', month: MONTH, used: 0, calls: 0 }
    expect(await all(store.monthPages({ accountId: holder.accountId, month: MONTH }))).toEqual([month])
    expect(await all(store.monthPages({ month: MONTH }))).toContainEqual(month)
    expect(await store.days({ accountId: holder.accountId, month: MONTH })).toEqual([])
  })

  test('an event that was rolled up can no longer be completed or refunded, and the ledger balances', async () => {
    const database = await databases.shared()
    const { store } = database
    const holder = await newHolder(store)
    const ticket = await admitted(store, holder, 9)
    await store.prune(NOON + 91 * DAY, 90)
    store.complete(ticket, OK)
    await store.flush()
    await store.refund(ticket, FAILED)
    expect(await used(store, holder)).toBe(9)
    expect(await imbalances(database, [holder.accountId])).toEqual([])
  })

  test('thousands of events are rolled up', async () => {
    const database = await databases.open(await databases.create())
    const { store } = database
    const holder = await newHolder(store, 'free')
    for (let hour = 0; hour < 50; hour += 1) {
      const at = NOON + hour * HOUR
      for (let i = 0; i < 90; i += 1) store.recordRefusal(refusal(holder, at))
    }
    await store.flush()
    await store.prune(NOON + 100 * DAY, 90)
    expect(await all(store.eventPages({ month: MONTH }))).toEqual([])
    const refused = (await store.days({ accountId: holder.accountId, month: MONTH })).map((sum) => sum.refused)
    expect(refused).toEqual([1_080, 2_160, 1_260])
  })
})

describeBothStores('refused calls do not fill the disk', (databases) => {
  test('beyond a limit per hour they are counted, but not stored individually', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    const limit = SINGLE_REFUSALS.requests
    for (let i = 0; i < limit + 150; i += 1) store.recordRefusal(refusal(holder))
    await store.flush()
    const query = { accountId: holder.accountId, month: MONTH }
    expect(await all(store.eventPages(query))).toHaveLength(limit)
    expect((await store.days(query)).map((sum) => sum.refused)).toEqual([limit + 150])
    store.recordRefusal(refusal(holder, NOON + HOUR))
    await store.flush()
    expect(await all(store.eventPages(query))).toHaveLength(limit + 1)
  })

  test('each key has its own limit', async () => {
    const { store } = await databases.shared()
    const [one, two] = [await newHolder(store), await newHolder(store)]
    for (let i = 0; i < 150; i += 1) store.recordRefusal(refusal(one))
    store.recordRefusal(refusal(two))
    await store.flush()
    expect(await all(store.eventPages({ accountId: two.accountId, month: MONTH }))).toHaveLength(1)
  })
})

describeBothStores('pruning', (databases) => {
  test.each([
    { name: 'at the end of the day', after: 0, left: ['today', 'yesterday'] },
    { name: 'within an hour, since clocks of instances differ', after: HOUR - 1, left: ['today', 'yesterday'] },
    { name: 'an hour after the day', after: HOUR, left: ['today'] },
  ])("hashes of yesterday's network addresses: $name", async ({ after, left }) => {
    const { store, kysely } = await databases.open(await databases.create())
    const midnight = Date.UTC(2026, 2, 16)
    await store.admitKeyless({ addressHash: 'yesterday', at: midnight - 1, units: 500 })
    await store.admitKeyless({ addressHash: 'today', at: midnight, units: 500 })
    await store.prune(midnight + after, 90)
    const rows = await kysely.selectFrom('keyless_days').select('client').orderBy('client').execute()
    expect(rows.map(({ client }) => client)).toEqual(left)
    const again = { addressHash: 'yesterday', at: midnight - 1, units: 1 }
    expect((await store.admitKeyless(again)).outcome).toBe(left.includes('yesterday') ? 'day spent' : 'admitted')
    expect((await store.admitKeyless({ addressHash: 'today', at: midnight, units: 1 })).outcome).toBe('day spent')
  })
})

describeBothStores('the store', (databases) => {
  test('is ready if its database is writable', async () => {
    const { store } = await databases.shared()
    await store.ready()
  })
})

describeBothStores('pages of events', (databases) => {
  test('contain each event once, oldest first, while new ones are added', async () => {
    const { store } = await databases.open(await databases.create())
    const holder = await newHolder(store, 'pro')
    for (let hour = 0; hour < 25; hour += 1) {
      for (let i = 0; i < 100; i += 1)
        store.recordRefusal({ ...refusal(holder, NOON + hour * HOUR + i), rows: hour * 100 + i })
    }
    await store.flush()
    const seen: (number | null)[] = []
    const sizes: number[] = []
    for await (const page of store.eventPages({ accountId: holder.accountId, month: MONTH })) {
      sizes.push(page.length)
      seen.push(...page.map(({ rows }) => rows))
      store.recordRefusal({ ...refusal(holder, NOON + 26 * HOUR), rows: 10_000 })
      await store.flush()
    }
    expect(seen.filter((rows) => rows !== 10_000)).toEqual(Array.from({ length: 2_500 }, (_, i) => i))
    expect(sizes.slice(0, 2)).toEqual([1_000, 1_000])
  })

  const ALL = [200, 500, null, 429, 413, 200]
  test.each<{ by: string; query: (holder: KeyHolder) => Partial<EventQuery>; statuses: readonly (number | null)[] }>([
    { by: 'neither', query: () => ({}), statuses: [...ALL, 499] },
    { by: 'a key', query: ({ keyId }) => ({ keyId }), statuses: ALL },
    { by: 'a status', query: () => ({ status: 413 }), statuses: [413] },
    { by: 'answered calls', query: () => ({ status: 'answered' }), statuses: [200, 200] },
    { by: 'refused calls', query: () => ({ status: 'refused' }), statuses: [429, 413] },
    { by: 'failed calls', query: () => ({ status: 'failed' }), statuses: [500, 499] },
    { by: 'open calls', query: () => ({ status: 'open' }), statuses: [null] },
  ])('can be filtered by $by', async ({ by, query, statuses }) => {
    const { store } = await databases.shared()
    const email = `${by.replaceAll(' ', '-')}@example.org`
    const holder = await newHolder(store, 'pro', email)
    await busyDay(store, holder)
    store.recordRefusal({ ...refusal(await newHolder(store, 'pro', email), NOON + DAY + 1), status: 499 })
    await store.flush()
    const events = await all(store.eventPages({ accountId: holder.accountId, month: MONTH, ...query(holder) }))
    expect(events.map(({ status }) => status)).toEqual(statuses)
  })
})
