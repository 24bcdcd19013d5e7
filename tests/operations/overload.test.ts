import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import { RawClient } from '../support/raw-client.ts'
import { type RunningServer, startServer } from '../support/server.ts'

/*
 * What a stranger sends without end, or slowly, or too much of: memory stays bounded and others are served. Servers
 * here have so small a heap that whatever is kept without a bound ends them.
 */

const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=128' }

let server: RunningServer
afterEach(() => server.stop('SIGKILL'))

const honest = () => server.call({ body: { mode: 'lines', data: 'a\na' } })

/** Sends as fast as the server takes it, until so many bytes are out or the server has taken none for a while. */
async function flood(client: RawClient, block: Buffer, blocks: number): Promise<void> {
  for (let sent = 0; sent < blocks && !client.socket.destroyed; sent += 1) {
    if (client.socket.write(block)) continue
    const drained = once(client.socket, 'drain').catch(() => {})
    const others = (async () => {
      for (let calls = 0; calls < 20; calls += 1) expect((await honest()).status).toBeLessThan(500)
      return 'stuck'
    })()
    if ((await Promise.race([drained, others])) === 'stuck') return
  }
}

describe('pipelined requests without end, from one connection that reads no answer', () => {
  const json = 'Content-Type: application/json\r\n'
  test.each([
    { name: 'sign-ups', request: 'POST /app/auth/sign-up/email HTTP/1.1\r\n\r\n' },
    {
      name: 'sign-ins with a body',
      request: `POST /app/auth/sign-in/email HTTP/1.1\r\n${json}Content-Length: 2\r\n\r\n{}`,
    },
    { name: 'pages', request: 'GET /app/keys HTTP/1.1\r\n\r\n' },
    { name: 'readiness', request: 'GET /readyz HTTP/1.1\r\n\r\n' },
    { name: 'calls without a body', request: 'POST /api/dedupe HTTP/1.1\r\n\r\n' },
    {
      name: 'calls with one',
      request: 'POST /api/dedupe HTTP/1.1\r\nContent-Length: 26\r\n\r\n{"mode":"lines","data":""}',
    },
    { name: 'refusals', request: 'PUT /api/dedupe HTTP/1.1\r\n\r\n' },
  ])('$name', async ({ request }) => {
    server = await startServer({ env: SMALL_HEAP })
    const client = await RawClient.open(server.port)
    client.socket.pause()
    await flood(client, Buffer.from(request.repeat(10_000)), 20)
    expect((await honest()).status).toBe(200)
    client.close()
    expect(server.process.exitCode).toBeNull()
  })

  test('from a hundred connections at once', async () => {
    server = await startServer({ env: SMALL_HEAP })
    const block = Buffer.from('POST /app/auth/sign-up/email HTTP/1.1\r\n\r\n'.repeat(10_000))
    const clients = await Promise.all(Array.from({ length: 100 }, () => RawClient.open(server.port)))
    for (const client of clients) {
      client.socket.pause()
      client.send(block)
    }
    expect((await honest()).status).toBe(200)
    for (const client of clients) client.close()
    expect((await honest()).status).toBe(200)
  })
})

test('forty bodies at a time, in chunks of one byte', async () => {
  server = await startServer({ env: SMALL_HEAP })
  const block = Buffer.from('1\r\nx\r\n'.repeat(10_000))
  const clients = await Promise.all(Array.from({ length: 40 }, () => RawClient.open(server.port)))
  for (const client of clients) {
    client.send('POST /api/dedupe HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (let blocks = 0; blocks < 5; blocks += 1) {
      if (!client.socket.write(block)) await once(client.socket, 'drain')
    }
  }
  expect((await honest()).status).toBe(200)
  for (const client of clients) client.send('0\r\n\r\n')
  for (const client of clients) expect((await client.response())?.status).toBe(400)
  for (const client of clients) client.close()
})

describe('many requests at once', () => {
  const lines = (bytes: number) => ({ mode: 'lines', data: `${'x'.repeat(1_023)}\n`.repeat(bytes / 1_024) })

  test.each([24, 96])('forty of %i KB with one key: none is refused for their number', async (kb) => {
    server = await startServer()
    const { token } = await server.key('forty@example.com')
    const calls = Array.from({ length: 40 }, () => server.call({ token, body: lines(kb * 1_024) }))
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(40).fill(200))
  })

  test('more than there is memory for: what has room is answered, the others hear 503 and pay nothing', async () => {
    server = await startServer({ env: { BODY_MEMORY_MB: '8' } })
    const { token } = await server.key('large@example.com')
    const calls = Array.from({ length: 12 }, () => server.call({ token, body: lines(4 * 1_024 * 1_024) }))
    const answers = await Promise.all(calls)
    const refused = answers.filter(({ status }) => status === 503)
    expect(new Set(refused.map(({ text }) => text))).toEqual(new Set(['{"error":"server is busy; try again later"}']))
    expect(answers.filter(({ status }) => status === 200).length).toBe(answers.length - refused.length)
    const failures = async () =>
      (await server.log()).split('\n').filter((line) => line.includes('"level":50') && line.includes('server is busy'))
    await expect.poll(async () => (await failures()).length, { timeout: 60_000 }).toBe(refused.length)
    const billed = (await server.events('large@example.com')).filter(({ units }) => units !== 0)
    expect(billed.length).toBe(answers.length - refused.length)
    expect((await server.call({ token, body: lines(4 * 1_024 * 1_024) })).status).toBe(200)
  })
})

describe('fuzzy work that takes too long', () => {
  const small = { mode: 'rows', data: 'n\nJohn Smith\nSmith, John', options: { fuzzy: true } }

  /** Random letters at the lowest threshold: nothing can be ruled out without comparing. */
  function endless(): string {
    let state = 7
    const letter = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return 'abcdefgh'[state >>> 29] ?? 'a'
    }
    const rows = Array.from({ length: 45_000 }, () => Array.from({ length: 90 }, letter).join(''))
    return JSON.stringify({
      mode: 'rows',
      data: rows.join('\n'),
      options: { fuzzy: true, threshold: 0.5, hasHeader: false },
    })
  }

  test('holds up neither small fuzzy requests, nor those of a few thousand rows, nor long ones of others', async () => {
    server = await startServer({ env: { FUZZY_SECONDS: '3600' } })
    const { token: hog } = await server.key('hog@example.com')
    const { token } = await server.key('honest@example.com')
    const body = endless()
    const hogs = await Promise.all([0, 1, 2].map(() => RawClient.open(server.port)))
    const head = `POST /api/dedupe HTTP/1.1\r\nAuthorization: Bearer ${hog}\r\nContent-Length: ${body.length}\r\n\r\n`
    for (const client of hogs) client.send(head + body)
    await expect.poll(async () => (await server.events('hog@example.com')).length, { timeout: 120_000 }).toBe(3)

    const few = { ...small, data: `n\n${Array.from({ length: 3_000 }, (_, row) => `John ${row % 7}`).join('\n')}` }
    const many = { ...small, data: `n\n${Array.from({ length: 40_000 }, (_, row) => `John ${row % 7}`).join('\n')}` }
    for (const [request, kept] of [
      [small, 1],
      [few, 7],
      [many, 7],
    ] as const) {
      expect((await server.call({ token, body: request })).json).toMatchObject({ kept })
      expect((await server.call({ token: hog, body: small })).json).toMatchObject({ kept: 1 })
    }
    for (const client of hogs) client.close()
  })

  test('is not billed, again and again', async () => {
    server = await startServer({ env: { FUZZY_SECONDS: '1' } })
    const { token } = await server.key('hog@example.com')
    const body = endless()
    for (let round = 0; round < 3; round += 1) {
      expect(await server.call({ token, body })).toMatchObject({
        status: 503,
        json: { error: 'fuzzy matching took too long; raise threshold, choose keyColumns or split the file' },
      })
    }
    const events = await server.events('hog@example.com')
    expect(events.map(({ units, status }) => ({ units, status }))).toEqual(Array(3).fill({ units: 0, status: 503 }))
  })
})

/** Five calls of a thousand units, each left while it waits. */
async function leaveFiveTimes(token: string): Promise<void> {
  const body = JSON.stringify({ mode: 'lines', data: 'x\n'.repeat(999) })
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const client = await RawClient.open(server.port)
    client.send(
      `POST /api/dedupe HTTP/1.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    // Whoever connects later is served later: what was sent before has been read, and then that it was left.
    expect((await server.call({ method: 'GET', path: '/healthz' })).status).toBe(200)
    client.socket.resetAndDestroy()
    expect((await server.call({ method: 'GET', path: '/healthz' })).status).toBe(200)
  }
}

describe('callers who leave before their charge is committed', () => {
  test('five who gave up while the database was locked: not one unit', async () => {
    server = await startServer()
    const { token } = await server.key('left@example.com')
    const auth = { token, body: { mode: 'lines', data: 'a' } }
    expect((await server.call(auth)).status).toBe(200)
    const { kysely, store } = await openDatabase(`sqlite:${join(server.folder, 'keepfirst.db')}`, randomBytes)
    await kysely.transaction().execute(async (locked) => {
      await locked.updateTable('api_keys').set({ name: 'locked' }).execute()
      await leaveFiveTimes(token)
    })
    await store.close()
    expect((await server.call(auth)).status).toBe(200)
    const events = await server.events('left@example.com')
    const billed = events.filter(({ units }) => units !== 0)
    expect(billed.map(({ units, status }) => ({ units, status }))).toEqual(Array(2).fill({ units: 1, status: 200 }))
  })
})
