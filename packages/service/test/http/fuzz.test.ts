import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RawClient } from '../../../../tests/support/raw-client.ts'
import { runs } from '../../../../tests/support/runs.ts'
import { type ApiServer, cut, startApi } from '../support/api-server.ts'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => cut(api))

const piece = fc.oneof(
  fc.constantFrom(
    'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\n',
    'HEAD /api/dedupe HTTP/1.0\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: a\r\n',
  ),
  fc.constantFrom(
    'Content-Length: 2\r\n',
    'Content-Length: 300000\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Expect: 100-continue\r\n',
  ),
  fc.constantFrom(
    'Connection: close\r\n',
    'Connection: Upgrade\r\nUpgrade: h2c\r\n',
    'x-api-key: \xff\r\n',
    'Host:\r\n',
  ),
  fc.constantFrom('\r\n', '\r\n\r\n', 'hi', '2\r\nhi\r\n', '0\r\n\r\n', 'fffff\r\n', '\n', '\r', ' ', '\0'),
  fc.string({ maxLength: 20 }),
)

test('the server answers any bytes in any pieces, or closes the connection, and serves the next client', async () => {
  const ending = fc.constantFrom('closes', 'resets', 'half-closes')
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), ending, async (pieces, ending) => {
      const client = await RawClient.open(api.port)
      for (const bytes of pieces) {
        client.send(Buffer.from(bytes, 'latin1'))
        await new Promise((resolve) => setImmediate(resolve))
      }
      if (ending === 'closes') client.close()
      else if (ending === 'resets') client.socket.resetAndDestroy()
      else client.socket.end()
      const received = await client.ended()
      expect(received).toMatch(/^($|HTTP\/1\.1 [1-5]\d\d )/)
      const next = await RawClient.open(api.port)
      next.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi')
      expect(await next.response()).toMatchObject({ status: 200, body: '{"bytes":2}' })
      next.close()
    }),
    { numRuns: runs(2_000) },
  )
  expect(api.faults).toEqual([])
  await expect.poll(() => api.memory.heldBytes).toBe(0)
})
