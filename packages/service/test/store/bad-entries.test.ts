import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { all, charge, describeBothStores, MONTH, newHolder, used } from './support.ts'

/** Statements that make the database refuse events of 666 rows. */
const REFUSE = {
  sqlite: `create trigger refuse before insert on usage_events when new.rows = 666
    begin select raise(abort, 'refused'); end`,
  postgres: 'alter table usage_events add constraint refused check (rows <> 666)',
}

describeBothStores('a charge that the database refuses', (databases) => {
  test('fails alone: those that were to be written with it are admitted, and the ledger balances', async () => {
    const { kind, kysely, store } = await databases.open(await databases.create())
    await sql.raw(REFUSE[kind]).execute(kysely)
    const holders = [await newHolder(store, 'pro'), await newHolder(store, 'pro'), await newHolder(store, 'pro')]
    const charges = holders.flatMap((holder) => [5, 666, 7].map((units) => store.admit(charge(holder, units))))
    const outcomes = (await Promise.allSettled(charges)).map((settled) =>
      settled.status === 'fulfilled' ? settled.value.outcome : String(settled.reason),
    )
    const refused = expect.stringContaining('refused')
    expect(outcomes).toEqual(holders.flatMap(() => ['admitted', refused, 'admitted']))
    for (const holder of holders) expect(await used(store, holder)).toBe(12)
    expect(await all(store.eventPages({ month: MONTH }))).toHaveLength(6)
    expect(await store.imbalances()).toEqual([])
  })
})
