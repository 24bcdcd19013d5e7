import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type PrivatePostgres, startPostgres, startStandby } from '../support/postgres.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const CALLERS = 8
const ANSWERED_BEFORE = 400

/** Makes calls without pauses until it is stopped. */
class Load {
  answered = 0
  lastAnsweredAt = 0
  #isOver = false
  readonly #callers: readonly Promise<void>[]

  constructor(server: RunningServer, tokens: readonly string[]) {
    this.#callers = tokens.map(async (token) => {
      while (!this.#isOver) {
        const { status } = await server.call({ token, body: { mode: 'lines', data: 'a' } })
        if (status !== 200) {
          await sleep(50)
          continue
        }
        this.answered += 1
        this.lastAnsweredAt = performance.now()
      }
    })
  }

  async reaches(answered: number): Promise<void> {
    await until(`${answered} calls were answered`, () => this.answered >= answered)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#callers)
  }
}

/** The number of charged calls according to the database of this server. */
async function chargedCalls(postgres: PrivatePostgres, address: URL): Promise<number> {
  const { openDatabase } = await import('../../packages/service/dist/store/open.js')
  const { randomBytes } = await import('node:crypto')
  const direct = new URL(address)
  direct.host = new URL(postgres.url).host
  const { store, kysely } = await openDatabase(direct.href, randomBytes)
  expect(await store.imbalances()).toEqual([])
  const events = await kysely.selectFrom('usage_events').select('id').where('units', '>', 0).execute()
  await store.close()
  return events.length
}

describe.each([
  { kind: 'synchronous', names: 'standby' },
  { kind: 'asynchronous', names: '' },
])('the primary fails under load, and its $kind standby is promoted', ({ kind, names }) => {
  test('the service continues with the promoted server, and the ledger balances', async () => {
    const primary = await startPostgres({ durable: true })
    const standby = await startStandby(primary)
    const address = new URL(await primary.createDatabase())
    await primary.query(`alter system set synchronous_standby_names = '${names}'`)
    await primary.query('select pg_reload_conf()')
    // The standby comes first; as it is read-only, the server has to choose the other one.
    const databaseUrl = address.href.replace(address.host, `${new URL(standby.url).host},${address.host}`)
    const server = await startServer({ databaseUrl })
    const tokens: string[] = []
    for (let i = 0; i < CALLERS; i += 1) tokens.push((await server.key('failover@example.com')).token)

    const load = new Load(server, tokens)
    await load.reaches(ANSWERED_BEFORE)
    await primary.crash()
    await standby.promote()
    const promotedAt = performance.now()
    const before = load.answered
    await load.reaches(before + 1)
    const recoveryMs = Math.max(0, load.lastAnsweredAt - promotedAt)
    await load.reaches(before + ANSWERED_BEFORE)
    await load.stop()
    await server.stop()

    const lost = Math.max(0, load.answered - (await chargedCalls(standby, address)))
    process.stdout.write(
      `${kind}: answers again ${Math.round(recoveryMs)} ms after the promotion, ${lost} charges lost\n`,
    )
    if (kind === 'synchronous') expect(lost).toBe(0)
    await standby.stop()
    await primary.stop()
  })
})
