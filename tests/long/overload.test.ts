import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { callNormally, flood, floodFromMany, longFuzzyBody, SMALL_HEAP } from '../support/overload.ts'
import { RawClient } from '../support/raw-client.ts'
import { type RunningServer, startServer } from '../support/server.ts'

/*
 * Many kinds of floods; `tests/operations/overload.test.ts` has one of them.
 */

let server: RunningServer
afterEach(() => server.stop('SIGKILL'))

const json = 'Content-Type: application/json\r\n'
describe.each([
  { name: 'sign-ups', request: 'POST /app/auth/sign-up/email HTTP/1.1\r\nHost: a\r\n\r\n' },
  {
    name: 'sign-ins with a body',
    request: `POST /app/auth/sign-in/email HTTP/1.1\r\nHost: a\r\n${json}Content-Length: 2\r\n\r\n{}`,
  },
  { name: 'pages', request: 'GET /app/keys HTTP/1.1\r\nHost: a\r\n\r\n' },
  { name: 'readiness checks', request: 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n' },
  { name: 'calls without a body', request: 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n' },
  {
    name: 'calls with a body',
    request: 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 26\r\n\r\n{"mode":"lines","data":""}',
  },
  { name: 'refused calls', request: 'PUT /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n' },
  {
    name: 'large headers',
    request: `PUT /api/dedupe HTTP/1.1\r\nHost: a\r\nx: ${'x'.repeat(15_000)}\r\n\r\n`,
  },
])('endless pipelined requests from clients that read no answers: $name', ({ request }) => {
  const block = Buffer.from(request.repeat(Math.ceil(500_000 / request.length)))

  test('one connection', async () => {
    server = await startServer({ env: SMALL_HEAP })
    const client = await RawClient.open(server.port)
    client.socket.pause()
    await flood(server, client, block, 20)
    expect((await callNormally(server)).status).toBe(200)
    client.close()
    expect(server.process.exitCode).toBeNull()
  })

  test('a thousand connections', async () => {
    server = await startServer({ env: SMALL_HEAP })
    await floodFromMany(server, block, 1_000)
  })
})

test('forty bodies at the same time, in chunks of one byte', async () => {
  server = await startServer({ env: SMALL_HEAP })
  const block = Buffer.from('1\r\nx\r\n'.repeat(10_000))
  const clients = await Promise.all(Array.from({ length: 40 }, () => RawClient.open(server.port)))
  for (const client of clients) {
    client.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    for (let blocks = 0; blocks < 5; blocks += 1) {
      if (!client.socket.write(block)) await once(client.socket, 'drain')
    }
  }
  expect((await callNormally(server)).status).toBe(200)
  for (const client of clients) client.send('0\r\n\r\n')
  for (const client of clients) expect((await client.response())?.status).toBe(400)
  for (const client of clients) client.close()
})

describe('fuzzy work that takes too long', () => {
  const small = { mode: 'rows', data: 'n\nJohn Smith\nSmith, John', options: { fuzzy: true } }

  test('does not delay fuzzy requests of other callers: small ones, a few thousand rows, many rows', async () => {
    server = await startServer({ env: { FUZZY_SECONDS: '3600' } })
    const { token: busyToken } = await server.key('busy@example.com')
    const { token } = await server.key('other@example.com')
    const body = longFuzzyBody()
    const clients = await Promise.all([0, 1, 2].map(() => RawClient.open(server.port)))
    const head = `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${busyToken}\r\nContent-Length: ${body.length}\r\n\r\n`
    for (const client of clients) client.send(head + body)
    await expect.poll(() => server.operator.allEvents('busy@example.com')).toHaveLength(3)

    const few = { ...small, data: `n\n${Array.from({ length: 3_000 }, (_, row) => `John ${row % 7}`).join('\n')}` }
    const many = { ...small, data: `n\n${Array.from({ length: 40_000 }, (_, row) => `John ${row % 7}`).join('\n')}` }
    for (const [request, kept] of [
      [small, 1],
      [few, 7],
      [many, 7],
    ] as const) {
      expect((await server.call({ token, body: request })).json).toMatchObject({ kept })
      expect((await server.call({ token: busyToken, body: small })).json).toMatchObject({ kept: 1 })
    }
    for (const client of clients) client.close()
  })
})
