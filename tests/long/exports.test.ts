import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { newPerson, type Person, visit } from '../support/person.ts'
import { RawClient } from '../support/raw-client.ts'
import { type RunningServer, startServer } from '../support/server.ts'

let server: RunningServer
afterEach(() => server.stop('SIGKILL'))

const ONE_LINE = { mode: 'lines', data: 'a' }

describe('exports of accounts with many calls, by clients that do not read the response', () => {
  /** More than fits into the buffers of a connection and, as objects, more than the heap of this server. */
  const CALLS = 64_000

  test('other callers are answered, memory is limited, and an account has one export at a time', async () => {
    server = await startServer({ env: { NODE_OPTIONS: '--max-old-space-size=48' } })
    const { token } = await server.key('other@example.com')
    const people = await Promise.all([newPerson(server), newPerson(server)])
    for (const person of people) await writeCalls(person.email)
    const clients = await Promise.all(people.map(holdExport))
    for (let calls = 0; calls < 5; calls += 1) {
      expect((await server.call({ token, body: ONE_LINE })).status).toBe(200)
      expect((await visit(server, '/app/account/usage', { cookie: people[0]?.cookie })).status).toBe(200)
    }

    // Clients that disconnect may export again and get everything.
    for (const client of clients) client.close()
    for (const person of people) await expect.poll(() => csv(person)).toBe(200)
    expect(server.process.exitCode).toBeNull()
  })

  const csv = async ({ cookie }: Person) => (await visit(server, '/app/account/calls.csv', { cookie })).status

  /** A client whose export is under way, so that another one is refused; that one may come first and be answered. */
  async function holdExport(person: Person): Promise<RawClient> {
    for (;;) {
      const client = await openExport(person)
      if ((await csv(person)) === 409) return client
      client.close()
    }
  }

  /** Requests the file of an account's calls and does not read it. */
  async function openExport({ cookie }: Person): Promise<RawClient> {
    const client = await RawClient.open(server.port)
    client.socket.pause()
    client.send(`GET /app/account/calls.csv HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`)
    return client
  }

  /** Writes events for today: a thousand, doubled until there are enough. */
  async function writeCalls(email: string): Promise<void> {
    const { store, kysely } = await openDatabase(server.databaseUrl, randomBytes)
    const account = await store.findAccount(email)
    const account_id = account?.id ?? ''
    const at = Math.floor(Date.now() / 86_400_000) * 86_400_000
    const rest = { rows: 1, removed: 0, units: 0, status: 200, duration_ms: 1 }
    const rows = Array.from({ length: 1_000 }, (_, i) => {
      return { account_id, key_id: 'deleted', at: at + i, mode: 'lines' as const, ...rest }
    })
    await kysely.insertInto('usage_events').values(rows).execute()
    const columns = ['account_id', 'key_id', 'at', 'mode', 'rows', 'removed', 'units', 'status', 'duration_ms'] as const
    for (let written = rows.length; written < CALLS; written *= 2) {
      const copies = kysely.selectFrom('usage_events').select(columns).where('account_id', '=', account_id)
      await kysely.insertInto('usage_events').columns(columns).expression(copies).execute()
    }
    await store.close()
  }
})
