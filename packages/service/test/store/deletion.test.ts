import { expect, test } from 'vitest'
import { admitted, all, DAY, describeBothStores, MONTH, NOON, newHolder, newKey } from './support.ts'

describeBothStores('a deleted account', (databases) => {
  test('no longer has active keys and cannot be found; it is deleted only once', async () => {
    const { store } = await databases.shared()
    const key = await newKey(store)
    expect(await store.deleteAccount(key.accountId, NOON)).toBe(true)
    expect(await store.deleteAccount(key.accountId, NOON)).toBe(false)
    expect(await store.findAccount(key.account)).toBeUndefined()
    expect(await store.accountById(key.accountId)).toBeUndefined()
    expect(await store.keysOf(key.accountId)).toEqual([])
    expect((await all(store.accountPages())).map(({ id }) => id)).not.toContain(key.accountId)
  })

  test('leaves nothing of its keys that could identify somebody', async () => {
    const { store, kysely } = await databases.shared()
    const key = await newKey(store)
    await store.deleteAccount(key.accountId, NOON)
    const rows = await kysely.selectFrom('api_keys').selectAll().where('account_id', '=', key.accountId).execute()
    expect(rows).toEqual([
      expect.objectContaining({
        name: '',
        prefix: '',
        hash: `deleted ${key.id}`,
        revoked_at: NOON,
        last_used_at: null,
      }),
    ])
  })

  test('keeps its usage as sums: its calls are rolled up, and its counter is unchanged', async () => {
    const { store, kysely } = await databases.shared()
    const [gone, other] = [await newHolder(store, 'pro'), await newHolder(store, 'pro')]
    for (const holder of [gone, gone, other]) {
      const ticket = await admitted(store, holder, 3)
      store.complete(ticket, { status: 200, removed: 0, durationMs: 1 })
    }
    await store.flush()
    await store.deleteAccount(gone.accountId, NOON)
    await store.prune(NOON, 90)
    const single = await kysely.selectFrom('usage_events').select('account_id').execute()
    expect(single.map((row) => row.account_id)).not.toContain(gone.accountId)
    expect(single.map((row) => row.account_id)).toContain(other.accountId)
    expect(await store.usedUnits(gone.accountId, MONTH)).toBe(6)
    expect(await store.days({ accountId: gone.accountId, month: MONTH })).toMatchObject([
      { account: `deleted ${gone.accountId}`, calls: 2, units: 6 },
    ])
    expect(await store.imbalances(MONTH)).toEqual([])
  })

  test('still gets refunds for running requests, until they are rolled up', async () => {
    const { store } = await databases.shared()
    const holder = await newHolder(store, 'pro')
    const ticket = await admitted(store, holder, 5)
    await store.deleteAccount(holder.accountId, NOON)
    await store.refund(ticket, { status: 503, removed: null, durationMs: 1 })
    expect(await store.usedUnits(holder.accountId, MONTH)).toBe(0)
    await store.prune(NOON + DAY, 90)
    expect(await store.imbalances(MONTH)).toEqual([])
  })
})
