import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dropKeylessDays } from '../../src/store/prune.ts'
import { DAY, describeBothStores, eventRow, HOUR, NOON, newAddressHash } from './support.ts'

describeBothStores('the outcomes of batches', (databases) => {
  test('are remembered for longer than the clocks of instances may differ, and then forgotten', async () => {
    const { kysely, store } = await databases.open(await databases.create())
    const batches = [6, 4, 0, -4].map((hours) => ({ at: NOON - hours * HOUR, id: `${hours} hours old`, answer: null }))
    await kysely.insertInto('ledger_batches').values(batches).execute()
    await store.prune(NOON, 90)
    const kept = await kysely.selectFrom('ledger_batches').select('id').orderBy('at').execute()
    expect(kept.map(({ id }) => id)).toEqual(['4 hours old', '0 hours old', '-4 hours old'])
  })
})

describeBothStores('budgets without a key', (databases) => {
  test('are dropped after their day, which is then said once', async () => {
    const { kysely, store } = await databases.open(await databases.create())
    expect(await dropKeylessDays(kysely, NOON + DAY)).toBe(false)
    await store.admitKeyless({ addressHash: newAddressHash(), at: NOON, units: 1 })
    expect(await dropKeylessDays(kysely, NOON)).toBe(false)
    expect(await dropKeylessDays(kysely, NOON + DAY)).toBe(true)
    expect(await dropKeylessDays(kysely, NOON + DAY)).toBe(false)
  })
})

describeBothStores('daily totals', (databases) => {
  test('are locked in one order by all instances, whatever the order of the events, so that no two wait for each other', async () => {
    const { kind, kysely, store } = await databases.open(await databases.create())
    const places = [2, 0, 3, 1].flatMap((account) => [1, 0].map((day) => ({ account: `a${account}`, day })))
    await kysely
      .insertInto('usage_events')
      .values(places.map(({ account, day }, order) => eventRow(account, NOON + day * DAY + order, 1)))
      .execute()
    await store.prune(NOON + 100 * DAY, 90)
    const written = kysely.selectFrom('usage_days').select(['account_id', 'day'])
    const inOrder = await written.orderBy(sql.ref(kind === 'sqlite' ? 'rowid' : 'ctid')).execute()
    expect(inOrder.map(({ account_id, day }) => `${account_id} ${day}`)).toEqual(
      ['a0', 'a1', 'a2', 'a3'].flatMap((account) => [`${account} 2026-03-15`, `${account} 2026-03-16`]),
    )
  })
})
