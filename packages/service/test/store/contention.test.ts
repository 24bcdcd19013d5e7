import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PrivatePostgres, simulateContention, startPostgres } from '../../../../tests/support/postgres.ts'
import { openDatabase } from '../../src/store/open.ts'
import { admitted, FAILED, hashOf, NOON, newHolder, OK, used } from './support.ts'

let server: PrivatePostgres
beforeAll(async () => {
  server = await startPostgres()
  await simulateContention(server)
})
afterAll(() => server.stop())

test('with strict isolation, transactions that conflict are retried: none fails, and the ledger balances', async () => {
  const address = await server.createDatabase()
  const instances = await Promise.all([1, 2, 3].map(() => openDatabase(address, randomBytes)))
  const [first] = instances
  if (first === undefined) throw new Error('no instance')
  const holders = [await newHolder(first.store, 'pro'), await newHolder(first.store, 'pro')]
  const work = instances.flatMap(({ store }) =>
    holders.map(async (holder) => {
      for (let i = 0; i < 20; i += 1) {
        const ticket = await admitted(store, holder, 3)
        if (i % 4 === 0) await store.refund(ticket, FAILED)
        else if (ticket.kind === 'keyed') store.complete(ticket, OK)
        const hash = hashOf(`${holder.keyId} ${Math.random()}`)
        await store.createKey({ accountId: holder.accountId, name: 'k', prefix: 'p', hash, createdAt: NOON })
      }
    }),
  )
  await Promise.all(work)
  await Promise.all(instances.map(({ store }) => store.close()))
  const after = await openDatabase(address, randomBytes)
  expect(await after.store.imbalances()).toEqual([])
  // Of twenty charges by each of three instances, every fourth was refunded.
  for (const holder of holders) expect(await used(after.store, holder)).toBe(3 * 15 * 3)
  await after.store.close()
})
