import { expect, test } from 'vitest'
import type { OpenDatabase } from '../../src/store/open.ts'
import type { Imbalance } from '../../src/store/store.ts'
import { admitted, DAY, describeBothStores, eventRow, FAILED, MONTH, NOON, newHolder, OK } from './support.ts'

/** An imbalance whose counter and reports say nothing of these units, or that lacks what is given instead. */
function imbalance(account: string, month: string, given: Partial<Imbalance>): Imbalance {
  return { account, month, used: 0, sum: 0, reported: 0, ...given }
}

/** Events or day sums of an account, without the counters that belong to them. */
function writes({ kysely }: OpenDatabase, account_id: string) {
  return {
    event: (day: string, units: number) =>
      kysely
        .insertInto('usage_events')
        .values(eventRow(account_id, Date.parse(day), units))
        .execute(),
    day: (day: string, units: number) =>
      kysely
        .insertInto('usage_days')
        .values({ account_id, key_id: 'k', day, mode: 'lines', status: 200, calls: 1, rows: 1, removed: 0, units })
        .execute(),
  }
}

describeBothStores('verification', (databases) => {
  test('lists exactly the counters that differ from the sum of their events and day sums', async () => {
    const { store, kysely } = await databases.open(await databases.create())
    const [right, wrong] = [
      await newHolder(store, 'pro', 'right@example.org'),
      await newHolder(store, 'pro', 'wrong@example.org'),
    ]
    for (const holder of [right, wrong]) {
      store.complete(await admitted(store, holder, 50), OK)
      await store.refund(await admitted(store, holder, 20), FAILED)
      await admitted(store, holder, 30, NOON + DAY)
      await admitted(store, holder, 3, NOON - 40 * DAY)
      await store.flush()
    }
    await store.prune(NOON + 60 * DAY, 90)
    expect(await store.imbalances()).toEqual([])
    await kysely
      .updateTable('usage_months')
      .set({ used: 81 })
      .where('account_id', '=', wrong.accountId)
      .where('month', '=', MONTH)
      .execute()
    await kysely.deleteFrom('usage_days').where('account_id', '=', wrong.accountId).execute()
    const differences = [
      imbalance('wrong@example.org', '2026-02', { used: 3 }),
      imbalance('wrong@example.org', MONTH, { used: 81, sum: 80, reported: 80 }),
    ]
    expect(await store.imbalances()).toEqual(differences)
    expect(await store.imbalances(MONTH)).toEqual(differences.slice(1))
    expect(await store.imbalances('2026-04')).toEqual([])
    await kysely.updateTable('usage_sums').set({ units: 0 }).where('account_id', '=', right.accountId).execute()
    expect(await store.imbalances(MONTH)).toContainEqual(
      imbalance('right@example.org', MONTH, { used: 80, sum: 80, reported: 0 }),
    )
  })

  test('looks at every month that has a counter, a day sum or an event, even if it has only one of them', async () => {
    const database = await databases.open(await databases.create())
    const { store, kysely } = database
    const { accountId } = await newHolder(store, 'pro', 'months@example.org')
    const { event, day } = writes(database, accountId)
    await kysely.insertInto('usage_months').values({ account_id: accountId, month: '2025-07', used: 7 }).execute()
    await day('2025-09-30', 9)
    const before = [
      imbalance('months@example.org', '2025-07', { used: 7 }),
      imbalance('months@example.org', '2025-09', { sum: 9, reported: 9 }),
    ]
    expect(await store.imbalances()).toEqual(before)
    await event('2026-01-31', 1)
    await event('2026-02-28', 2)
    await event('2026-03-01', 3)
    expect(await store.imbalances()).toEqual([
      ...before,
      imbalance('months@example.org', '2026-01', { sum: 1, reported: 1 }),
      imbalance('months@example.org', '2026-02', { sum: 2, reported: 2 }),
      imbalance('months@example.org', '2026-03', { sum: 3, reported: 3 }),
    ])
  })

  test('looks at every account, and lists them by address and month', async () => {
    const database = await databases.open(await databases.create())
    const { store, kysely } = database
    // Identifiers may begin with any of these, and are in another order than the addresses.
    const ids = ['z', '-', 'A', '0', 'a', '_', 'Z']
    const emailOf = (place: number): string => `account${place}@example.org`
    const accounts = ids.map((id, place) => {
      return { id, email: emailOf(place), plan: 'pro' as const, created_at: NOON, made_by: 'operator' as const }
    })
    await kysely.insertInto('accounts').values(accounts).execute()
    for (const id of ids) {
      await writes(database, id).day('2026-02-01', 2)
      await writes(database, id).day('2026-01-01', 1)
    }
    expect(await store.imbalances()).toEqual(
      ids.flatMap((_, place) => [
        imbalance(emailOf(place), '2026-01', { sum: 1, reported: 1 }),
        imbalance(emailOf(place), '2026-02', { sum: 2, reported: 2 }),
      ]),
    )
  })
})
