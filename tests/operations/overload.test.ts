import { randomBytes } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { floodFromMany, longFuzzyBody, SMALL_HEAP } from '../support/overload.ts'
import { RawClient } from '../support/raw-client.ts'
import { type RunningServer, startServer } from '../support/server.ts'

/*
 * Whether a client sends endless requests, slow ones or large ones, memory is limited and others are served.
 * `tests/long` has more kinds of floods.
 */

let server: RunningServer
afterEach(() => server.stop('SIGKILL'))

test('endless pipelined requests from a hundred connections that read no answers do not keep others from theirs', async () => {
  server = await startServer({ env: SMALL_HEAP })
  await floodFromMany(
    server,
    Buffer.from('POST /app/auth/sign-up/email HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10_000)),
    100,
  )
})

describe('many requests at once', () => {
  const lines = (bytes: number) => ({ mode: 'lines', data: `${'x'.repeat(1_023)}\n`.repeat(bytes / 1_024) })

  test.each([24, 96])('forty of %i KB with one key are all answered', async (kb) => {
    server = await startServer()
    const { token } = await server.key('forty@example.com')
    const calls = Array.from({ length: 40 }, () => server.call({ token, body: lines(kb * 1_024) }))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  })

  test('if they exceed the memory, those that fit are answered, and the others get 503 and are not billed', async () => {
    server = await startServer({ env: { BODY_MEMORY_MB: '8' } })
    const { token } = await server.key('large@example.com')
    const calls = Array.from({ length: 12 }, () => server.call({ token, body: lines(4 * 1_024 * 1_024) }))
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ status }) => status === 503)
    expect(new Set(refused.map(({ text }) => text))).toEqual(new Set(['{"error":"server is busy; try again later"}']))
    expect(answers.filter(({ status }) => status === 200).length).toBe(answers.length - refused.length)
    const failures = async () =>
      (await server.log()).split('\n').filter((line) => line.includes('"level":50') && line.includes('server is busy'))
    await expect.poll(async () => (await failures()).length).toBe(refused.length)
    const billed = (await server.events('large@example.com')).filter(({ units }) => units !== 0)
    expect(billed.length).toBe(answers.length - refused.length)
    expect((await server.call({ token, body: lines(4 * 1_024 * 1_024) })).status).toBe(200)
  })
})

test('bodies that one caller begins to send and does not finish leave memory for others', async () => {
  server = await startServer({ env: { BODY_MEMORY_MB: '16' } })
  const { token: stalledToken } = await server.key('stalled@example.com')
  const { token } = await server.key('small@example.com')
  const head = `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${stalledToken}\r\nContent-Length: 5000000\r\n\r\n`
  const clients = await Promise.all(Array.from({ length: 12 }, () => RawClient.open(server.port)))
  for (const client of clients) client.send(head + ' '.repeat(4_500_000))
  const refused = await Promise.race(clients.map((client) => client.response()))
  expect(refused).toMatchObject({ status: 503 })
  const body = { mode: 'lines', data: 'a'.repeat(100_000) }
  for (const credentials of [{ token }, {}]) expect((await server.call({ ...credentials, body })).status).toBe(200)
  for (const client of clients) client.close()
})

test('under extreme load with slow clients, small requests are answered, and the server recovers when the clients disconnect', async () => {
  server = await startServer({ env: { ...SMALL_HEAP, BODY_MEMORY_MB: '16' } })
  const { token: loadToken } = await server.key('load@example.com')
  const { token } = await server.key('small@example.com')
  const body = JSON.stringify({ mode: 'lines', data: `${'x'.repeat(1_023)}\n`.repeat(1_024) })
  const head = `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${loadToken}\r\nContent-Length: ${body.length}\r\n\r\n`
  const clients = await Promise.all(Array.from({ length: 120 }, () => RawClient.open(server.port)))
  for (const [i, client] of clients.entries()) {
    if (i % 3 === 0) client.socket.pause()
    client.send(head + (i % 3 === 1 ? body.slice(0, body.length / 2) : body))
  }
  const small = async () => (await server.call({ token, body: { mode: 'lines', data: 'a' } })).status
  for (let calls = 0; calls < 10; calls += 1) expect(await small()).toBe(200)
  for (const client of clients) client.close()
  expect(await small()).toBe(200)
  await expect.poll(async () => (await server.call({ token, body })).status).toBe(200)
  expect(server.process.exitCode).toBeNull()
})

test('fuzzy work that takes too long does not delay small requests of other callers', async () => {
  server = await startServer({ env: { FUZZY_SECONDS: '3600' } })
  const { token: busyToken } = await server.key('busy@example.com')
  const { token } = await server.key('other@example.com')
  const body = longFuzzyBody()
  const client = await RawClient.open(server.port)
  client.send(
    `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${busyToken}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await expect.poll(() => server.operator.allEvents('busy@example.com')).toHaveLength(1)
  const small = { mode: 'rows', data: 'n\nJohn Smith\nSmith, John', options: { fuzzy: true } }
  expect((await server.call({ token, body: small })).json).toMatchObject({ kept: 1 })
  client.close()
})

/** Makes five calls of a thousand units and disconnects from each while it waits. */
async function disconnectFiveTimes(token: string): Promise<void> {
  const body = JSON.stringify({ mode: 'lines', data: 'x\n'.repeat(999) })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const client = await RawClient.open(server.port)
    client.send(
      `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    // Requests are handled in order of arrival: by then, the server has read the earlier ones and noticed disconnects.
    expect((await server.call({ method: 'GET', path: '/healthz' })).status).toBe(200)
    client.socket.resetAndDestroy()
    expect((await server.call({ method: 'GET', path: '/healthz' })).status).toBe(200)
  }
}

describe('clients that disconnect before their charge is committed', () => {
  test('while the database is locked, are not billed', async () => {
    server = await startServer()
    const { token } = await server.key('disconnected@example.com')
    const auth = { token, body: { mode: 'lines', data: 'a' } }
    expect((await server.call(auth)).status).toBe(200)
    const { kysely, store } = await openDatabase(`sqlite:${join(server.folder, 'keepfirst.db')}`, randomBytes)
    await kysely.transaction().execute(async (locked) => {
      await locked.updateTable('api_keys').set({ name: 'locked' }).execute()
      await disconnectFiveTimes(token)
    })
    await store.close()
    expect((await server.call(auth)).status).toBe(200)
    const events = await server.events('disconnected@example.com')
    const billed = events.filter(({ units }) => units !== 0)
    expect(billed.map(({ units, status }) => ({ units, status }))).toEqual(Array(2).fill({ units: 1, status: 200 }))
  })
})

test('connections leave the descriptors that work needs, and everything resumes when they close', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keepfirst-descriptors-'))
  const node = join(folder, 'node')
  await writeFile(node, `#!/bin/sh\nulimit -n 600\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
  server = await startServer({ folder, node })
  const { token } = await server.key('descriptors@example.com', 'pro')
  const client = await RawClient.open(server.port)
  let open = 900
  const sockets = Array.from({ length: open }, () => {
    const close = (): void => {
      open -= 1
    }
    return connect(server.port, '127.0.0.1')
      .on('error', () => {})
      .on('close', close)
  })
  await expect.poll(() => open).toBeLessThan(300)
  // The first requests that need the database, the modules of pages, and threads.
  const post = (body: object): string => {
    const text = JSON.stringify(body)
    return `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nx-api-key: ${token}\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  }
  for (const request of [
    post({ mode: 'lines', data: 'a' }),
    'GET /about HTTP/1.1\r\nHost: a\r\n\r\n',
    post({ mode: 'lines', data: 'a line of text\n'.repeat(10_000) }),
    post({ mode: 'rows', data: 'name\nAda', options: { fuzzy: true } }),
  ]) {
    client.send(request)
    expect((await client.response())?.status, request.slice(0, 40)).toBe(200)
  }
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await server.call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(200)
  expect(server.process.exitCode).toBeNull()
})

test('endless readiness checks by many clients cost one commit per second, and callers are answered', async () => {
  server = await startServer()
  const { token } = await server.key('caller@example.com')
  const startedAt = performance.now()
  let answers = 0
  const clients = await Promise.all(Array.from({ length: 300 }, () => RawClient.open(server.port)))
  for (const { socket } of clients) {
    const sendRequest = () => socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.on('data', (chunk) => {
      if (chunk.length === 0) return
      answers += 1
      sendRequest()
    })
    sendRequest()
  }
  const CALLS = 10
  for (let calls = 0; calls < CALLS; calls += 1) {
    expect((await server.call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(200)
  }
  await expect.poll(() => answers).toBeGreaterThan(900)
  for (const client of clients) client.close()
  const { store, kysely } = await openDatabase(server.databaseUrl, randomBytes)
  const commits = (await kysely.selectFrom('ledger_batches').select('id').execute()).length
  await store.close()
  const seconds = (performance.now() - startedAt) / 1_000
  // At most one commit for each call, for its completion and for its key's last use, and one readiness check per
  // second.
  expect(commits).toBeLessThan(3 * CALLS + seconds + 5)
})
