import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startPostgres } from '../../../../tests/support/postgres.ts'
import { usesPostgres } from '../../../../tests/support/store-selection.ts'
import { until, untilReady } from '../../../../tests/support/until.ts'
import { type OpenDatabase, openDatabase } from '../../src/store/open.ts'
import type { KeyHolder } from '../../src/store/store.ts'
import { admitted, charge, describeBothStores, imbalances, NOON, newHolder } from './support.ts'

const program = fileURLToPath(new URL('../support/admitting-process.mjs', import.meta.url))

interface Charging {
  /** Ids of the charges that were acknowledged. */
  readonly answered: string[]
  readonly child: ChildProcess
  readonly ended: Promise<void>
}

function startCharging(address: string, holders: readonly KeyHolder[]): Charging {
  const child = spawn(process.execPath, [program, address, JSON.stringify(holders), String(NOON)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const answered: string[] = []
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    const lines = (text + part).split('\n')
    text = lines.pop() ?? ''
    answered.push(...lines)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return { answered, child, ended }
}

/** Resolves when this many charges have been acknowledged. */
async function answersOf({ answered, child }: Charging, count: number): Promise<void> {
  await untilReady(child, () => answered.length >= count)
}

async function manyHolders({ store }: OpenDatabase): Promise<readonly KeyHolder[]> {
  const holders: KeyHolder[] = []
  for (let i = 0; i < 20; i += 1) holders.push(await newHolder(store, 'pro'))
  return holders
}

/** Expects every acknowledged charge in the ledger, and that it balances. */
async function expectComplete(database: OpenDatabase, answered: readonly string[], holders: readonly KeyHolder[]) {
  const events = await database.kysely.selectFrom('usage_events').select('charge_id').execute()
  const stored = new Set(events.map(({ charge_id }) => charge_id))
  expect(answered.filter((id) => !stored.has(id))).toEqual([])
  const ids = holders.map(({ accountId }) => accountId)
  expect(await imbalances(database, ids)).toEqual([])
}

describeBothStores('kill -9 while charges are written', (databases) => {
  test('no acknowledged charge is missing, and the ledger balances', async () => {
    const address = await databases.create()
    const database = await databases.open(address)
    const holders = await manyHolders(database)
    const charging = startCharging(address, holders)
    await answersOf(charging, 500)
    charging.child.kill('SIGKILL')
    await charging.ended
    await expectComplete(await databases.open(address), charging.answered, holders)
  })
})

test.runIf(usesPostgres)(
  'PostgreSQL crashes: charges reject, no acknowledged one is missing, and the instance recovers',
  async () => {
    const server = await startPostgres({ durable: true })
    const address = await server.createDatabase()
    const database = await openDatabase(address, randomBytes)
    try {
      const { store } = database
      const holders = await manyHolders(database)
      const answered: string[] = []
      let crashed = false
      const work = async (holder: KeyHolder): Promise<void> => {
        while (!crashed) {
          const admission = await store.admit(charge(holder, 1))
          if (admission.outcome === 'admitted' && admission.ticket.kind === 'keyed') {
            answered.push(admission.ticket.chargeId)
          }
        }
      }
      const workers = Promise.allSettled(holders.map(work))
      await until('many charges were acknowledged', () => answered.length >= 300)
      await server.crash()
      crashed = true
      await workers
      await server.restart()
      await admitted(store, await newHolder(store), 1)
      await expectComplete(database, answered, holders)
    } finally {
      await database.store.close()
      await server.stop()
    }
  },
)
