import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import type { Ticket } from '../../src/store/store.ts'
import {
  admitted,
  all,
  charge,
  DAY,
  describeBothStores,
  FAILED,
  HOUR,
  imbalances,
  MONTH,
  NOON,
  newAddressHash,
  newHolder,
  newKey,
  OK,
  SECOND,
  used,
} from './support.ts'

const LAST_MOMENT = Date.UTC(2026, 3, 1) - 1
const APRIL = Date.UTC(2026, 3, 1)

describeBothStores('monthly units (specification 8.2)', (databases) => {
  test.each([
    { name: 'a first charge', before: [], units: 200, outcome: 'admitted', used: 200 },
    { name: 'exactly the remaining units', before: [200, 200, 200, 200], units: 200, outcome: 'admitted', used: 1_000 },
    { name: 'one unit too many', before: [200, 200, 200, 200, 1], units: 200, outcome: 'month spent', used: 801 },
    {
      name: 'less than what was refused before',
      before: [200, 200, 200, 200, 1],
      units: 199,
      outcome: 'admitted',
      used: 1_000,
    },
    { name: 'no units are left', before: [200, 200, 200, 200, 200], units: 1, outcome: 'month spent', used: 1_000 },
  ])('$name', async ({ before, units, outcome, used: expected }) => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    for (const earlier of before) await admitted(store, holder, earlier)
    const admission = await store.admit(charge(holder, units))
    expect(admission.outcome).toBe(outcome)
    if (admission.outcome === 'month spent') expect(admission.used).toBe(expected)
    expect(await used(store, holder)).toBe(expected)
  })

  test('the allowance is shared by all keys of an account, but not with other accounts', async () => {
    const { store } = await databases.shared()
    const one = await newHolder(store, 'starter', 'shared@example.org')
    const two = await newHolder(store, 'starter', 'shared@example.org')
    const other = await newHolder(store, 'starter')
    await admitted(store, one, 50_000)
    await admitted(store, two, 50_000)
    expect(await store.admit(charge(one, 1))).toEqual({ outcome: 'month spent', used: 100_000 })
    await admitted(store, other, 1)
  })

  test('after a change to a smaller plan, `used` may exceed the limit, and nothing more is admitted', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store, 'pro')
    await admitted(store, holder, 50_000)
    expect(await store.admit(charge({ ...holder, plan: 'free' }, 1))).toEqual({ outcome: 'month spent', used: 50_000 })
  })

  test('40 requests at once near the end of the allowance: exactly as many as fit are admitted', async () => {
    const database = await databases.shared()
    const { store } = database
    const holder = await newHolder(store)
    for (let i = 0; i < 4; i += 1) await admitted(store, holder, 200)
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => store.admit(charge(holder, 9))))
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(22)
    expect(outcomes.filter(({ outcome }) => outcome === 'month spent')).toHaveLength(18)
    expect(await used(store, holder)).toBe(998)
    expect(await imbalances(database, [holder.accountId])).toEqual([])
  })
})

describeBothStores('the start of a new month, in UTC (specification 3)', (databases) => {
  test('the last millisecond belongs to the old month, the next to a new one with a full allowance', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    for (let i = 0; i < 5; i += 1) await admitted(store, holder, 200, LAST_MOMENT)
    expect((await store.admit(charge(holder, 1, LAST_MOMENT))).outcome).toBe('month spent')
    await admitted(store, holder, 200, APRIL)
    expect(await used(store, holder, '2026-03')).toBe(1_000)
    expect(await used(store, holder, '2026-04')).toBe(200)
  })

  test('a refund goes to the month that was charged, even after its end', async () => {
    const database = await databases.shared()
    const { store } = database
    const holder = await newHolder(store)
    const ticket = await admitted(store, holder, 150, LAST_MOMENT)
    await admitted(store, holder, 20, APRIL)
    await store.refund(ticket, FAILED)
    expect(await used(store, holder, '2026-03')).toBe(0)
    expect(await used(store, holder, '2026-04')).toBe(20)
    expect(await imbalances(database, [holder.accountId])).toEqual([])
  })
})

describeBothStores('month and burst window are both charged or neither (specification 4.1)', (databases) => {
  test('the first request beyond a window is refused, costs no units and leaves no event', async () => {
    const database = await databases.shared()
    const { store } = database
    const holder = await newHolder(store)
    for (let i = 0; i < 60; i += 1) await admitted(store, holder, 1)
    expect(await store.admit(charge(holder, 1, NOON + 600 * SECOND))).toEqual({
      outcome: 'burst',
      limit: { requests: 60, windowSeconds: 3_600 },
      retryAfterSeconds: 3_000,
    })
    expect(await used(store, holder)).toBe(60)
    expect(await all(store.eventPages({ accountId: holder.accountId, month: MONTH }))).toHaveLength(60)
    await admitted(store, holder, 1, NOON + HOUR)
  })

  test('a request that the month refuses is not counted in the burst window', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    for (let i = 0; i < 4; i += 1) await admitted(store, holder, 200)
    for (let i = 0; i < 20; i += 1) await admitted(store, holder, 1)
    for (let i = 0; i < 100; i += 1) {
      expect((await store.admit(charge(holder, 200))).outcome).toBe('month spent')
    }
    for (let i = 0; i < 36; i += 1) await admitted(store, holder, 1)
    expect((await store.admit(charge(holder, 1))).outcome).toBe('burst')
  })

  test('if both refuse, the month is reported', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    for (let i = 0; i < 4; i += 1) await admitted(store, holder, 200)
    for (let i = 0; i < 56; i += 1) await admitted(store, holder, 1)
    expect(await store.admit(charge(holder, 150))).toEqual({ outcome: 'month spent', used: 856 })
    expect((await store.admit(charge(holder, 100))).outcome).toBe('burst')
  })

  test('100 at once: the window admits as many as allowed, and only these are charged', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => store.admit(charge(holder, 2))))
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(60)
    expect(await used(store, holder)).toBe(120)
  })

  test('each key of an account has its own window', async () => {
    const { store } = await databases.shared()
    const one = await newHolder(store, 'starter', 'two@example.org')
    const two = await newHolder(store, 'starter', 'two@example.org')
    for (let i = 0; i < 60; i += 1) await admitted(store, one, 1)
    expect((await store.admit(charge(one, 1))).outcome).toBe('burst')
    await admitted(store, two, 1)
  })

  test('a refund does not free a place in the burst window', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    for (let i = 0; i < 60; i += 1) await store.refund(await admitted(store, holder, 1), FAILED)
    expect(await used(store, holder)).toBe(0)
    expect((await store.admit(charge(holder, 1))).outcome).toBe('burst')
  })

  test('a running window uses the limit of a new plan', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store, 'starter')
    for (let i = 0; i < 60; i += 1) await admitted(store, holder, 1)
    expect((await store.admit(charge(holder, 1))).outcome).toBe('burst')
    await admitted(store, { ...holder, plan: 'pro' }, 1)
  })

  test('a batch that the database rejects leaves no reservation', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store)
    const bad = { ...charge(holder, 1), rows: Number.NaN, units: Number.NaN }
    const settled = await Promise.allSettled(Array.from({ length: 60 }, () => store.admit(bad)))
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true)
    for (let i = 0; i < 60; i += 1) await admitted(store, holder, 1)
  })

  test('an invalid entry does not affect the others in its batch', async () => {
    const database = await databases.shared()
    const { store } = database
    const holder = await newHolder(store)
    const bad = { ...charge(holder, 1), units: Number.NaN }
    const settled = await Promise.allSettled([charge(holder, 2), bad, charge(holder, 3)].map((one) => store.admit(one)))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await used(store, holder)).toBe(5)
    expect(await imbalances(database, [holder.accountId])).toEqual([])
  })
})

describeBothStores('keyless units per network address and day (specification 8.2)', (databases) => {
  let addressHash = ''
  beforeEach(() => {
    addressHash = newAddressHash()
  })

  test.each([
    { name: 'all units of a day at once', before: [], units: 500, outcome: 'admitted' },
    { name: 'exactly the remaining units', before: [499], units: 1, outcome: 'admitted' },
    { name: 'one unit too many', before: [499], units: 2, outcome: 'day spent' },
    { name: 'less than what was refused before', before: [400, 101], units: 100, outcome: 'admitted' },
  ])('$name', async ({ before, units, outcome }) => {
    const { store } = await databases.shared()
    for (const earlier of before) await store.admitKeyless({ addressHash, at: NOON, units: earlier })
    expect((await store.admitKeyless({ addressHash, at: NOON, units })).outcome).toBe(outcome)
  })

  test('another address and the next UTC day have their own allowances', async () => {
    const { store } = await databases.shared()
    const lastMoment = Date.UTC(2026, 2, 16) - 1
    await store.admitKeyless({ addressHash, at: lastMoment, units: 500 })
    expect((await store.admitKeyless({ addressHash, at: lastMoment, units: 1 })).outcome).toBe('day spent')
    expect((await store.admitKeyless({ addressHash: newAddressHash(), at: lastMoment, units: 1 })).outcome).toBe(
      'admitted',
    )
    expect((await store.admitKeyless({ addressHash, at: lastMoment + 1, units: 500 })).outcome).toBe('admitted')
  })

  test('a refund goes to the day that was charged', async () => {
    const { store } = await databases.shared()
    const admission = await store.admitKeyless({ addressHash, at: NOON, units: 500 })
    if (admission.outcome !== 'admitted') throw new Error(admission.outcome)
    await store.admitKeyless({ addressHash, at: NOON + DAY, units: 1 })
    await store.refund(admission.ticket, FAILED)
    expect((await store.admitKeyless({ addressHash, at: NOON, units: 500 })).outcome).toBe('admitted')
    expect((await store.admitKeyless({ addressHash, at: NOON + DAY, units: 500 })).outcome).toBe('day spent')
  })

  test('40 at once: exactly as many as fit are admitted', async () => {
    const { store } = await databases.shared()
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => store.admitKeyless({ addressHash, at: NOON, units: 30 })),
    )
    expect(outcomes.filter(({ outcome }) => outcome === 'admitted')).toHaveLength(16)
  })

  test('only the usage of the address is stored of a keyless call', async () => {
    const { store, kysely } = await databases.open(await databases.create())
    const admission = await store.admitKeyless({ addressHash, at: NOON, units: 5 })
    if (admission.outcome !== 'admitted') throw new Error(admission.outcome)
    store.complete(admission.ticket, OK)
    await store.flush()
    expect(await kysely.selectFrom('usage_events').selectAll().execute()).toEqual([])
    expect(await kysely.selectFrom('keyless_days').selectAll().execute()).toEqual([
      { client: addressHash, day: '2026-03-15', used: 5 },
    ])
  })
})

describeBothStores('the last use of a key', (databases) => {
  test('is the time of its newest call, admitted or refused', async () => {
    const { store } = await databases.shared()
    const key = await newKey(store)
    const holder = { keyId: key.id, accountId: key.accountId, plan: key.plan }
    const lastUse = async (): Promise<number | null | undefined> => {
      await store.flush()
      return (await store.keysOf(key.accountId))[0]?.lastUsedAt
    }
    expect(await lastUse()).toBeNull()
    await Promise.all([admitted(store, holder, 1, NOON + 2), admitted(store, holder, 1, NOON + 1)])
    expect(await lastUse()).toBe(NOON + 2)
    store.recordRefusal({ holder, at: NOON + 3, mode: null, rows: null, status: 400, durationMs: 1 })
    expect(await lastUse()).toBe(NOON + 3)
  })
})

describeBothStores('the ledger balances', (databases) => {
  type Step =
    | { readonly do: 'charge'; readonly who: number; readonly units: number; readonly at: number }
    | { readonly do: 'complete' | 'refund'; readonly which: number }
    | { readonly do: 'refuse'; readonly who: number; readonly at: number }
    | { readonly do: 'prune'; readonly at: number }

  const at = fc.integer({ min: NOON, max: NOON + 40 * DAY })
  const who = fc.nat(2)
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('charge' as const), who, units: fc.integer({ min: 1, max: 200 }), at }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constantFrom('complete' as const, 'refund' as const), which: fc.nat(50) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), who, at }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const), at }) },
  )

  test('after every group of operations, each counter is the sum of its events', async () => {
    const database = await databases.shared()
    const { store } = database
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 12 }), async (groups) => {
        const holders = [await newHolder(store), await newHolder(store), await newHolder(store)]
        const ids = holders.map(({ accountId }) => accountId)
        const tickets: Ticket[] = []
        const run = async (one: Step): Promise<void> => {
          const holder = 'who' in one ? holders[one.who] : undefined
          if (one.do === 'charge' && holder !== undefined) {
            const admission = await store.admit(charge(holder, one.units, one.at))
            if (admission.outcome === 'admitted') tickets.push(admission.ticket)
          } else if (one.do === 'refuse' && holder !== undefined) {
            store.recordRefusal({ holder, at: one.at, mode: 'json', rows: 3, status: 429, durationMs: 1 })
          } else if (one.do === 'complete' || one.do === 'refund') {
            const ticket = tickets[one.which % Math.max(1, tickets.length)]
            if (ticket !== undefined)
              await (one.do === 'refund' ? store.refund(ticket, FAILED) : store.complete(ticket, OK))
          } else if (one.do === 'prune') {
            await store.prune(one.at, 10)
          }
        }
        for (const group of groups) {
          await Promise.all(group.map(run))
          await store.flush()
          expect(await imbalances(database, ids)).toEqual([])
          for (const holder of holders) expect(await used(store, holder, MONTH)).toBeLessThanOrEqual(1_000)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})
