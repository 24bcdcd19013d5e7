import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { createDatabaseForPooling, startPgBouncer } from '../support/pgbouncer.ts'
import { startPostgres } from '../support/postgres.ts'

const INSTANCES = 100
const CHARGES = 20
/** Connections of PostgreSQL that all instances share. */
const POOL_SIZE = 8

test('a hundred instances share eight connections through a pooler in transaction mode', async () => {
  const postgres = await startPostgres()
  const direct = await createDatabaseForPooling(postgres)
  const pooler = await startPgBouncer(postgres.url, POOL_SIZE)
  const address = pooler.through(direct)

  const owner = await openDatabase(direct, randomBytes)
  const at = Date.now()
  const account = await owner.store.ensureAccount('pooled@example.com', at)
  await owner.store.setPlan(account.id, 'pro')
  const draft = { accountId: account.id, name: 'k', prefix: 'p', hash: 'h', createdAt: at }
  const key = await owner.store.createKey(draft)
  if (typeof key === 'string') throw new Error(key)
  const holder = { keyId: key.id, accountId: account.id, plan: 'pro' as const }

  const instances = await Promise.all(
    Array.from({ length: INSTANCES }, () => openDatabase(address, randomBytes, { isPooled: true, connections: 4 })),
  )
  const work = instances.map(async ({ store }) => {
    for (let i = 0; i < CHARGES; i += 1) {
      expect(await store.findHolder('h')).toEqual(holder)
      const admission = await store.admit({ holder, at, mode: 'lines', rows: 1, units: 1 })
      if (admission.outcome !== 'admitted' || admission.ticket.kind !== 'keyed') throw new Error(admission.outcome)
      store.complete(admission.ticket, { status: 200, removed: 0, durationMs: 1 })
    }
  })
  await Promise.all(work)
  const [sessions] = await postgres.query(
    `select count(*) as count from pg_stat_activity where backend_type = 'client backend'`,
  )
  expect(Number(sessions?.count)).toBeLessThan(POOL_SIZE + 8) // those of the pooler, and of this test
  await Promise.all(instances.map(({ store }) => store.close()))
  expect(await owner.store.usedUnits(account.id, new Date(at).toISOString().slice(0, 7))).toBe(INSTANCES * CHARGES)
  expect(await owner.store.imbalances()).toEqual([])
  await owner.store.close()
  await pooler.stop()
  await postgres.stop()
})
