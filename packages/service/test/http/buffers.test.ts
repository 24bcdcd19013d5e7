import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { RawClient } from '../../../../tests/support/raw-client.ts'
import { BufferPool } from '../../src/http/buffer-pool.ts'
import type { Call, Reply } from '../../src/requests/call.ts'
import { type ApiServer, cut, startApi } from '../support/api-server.ts'

const KB = 1_024
const MB = 1_024 * KB

/** Takes those of these buffers that the pool has kept out of it; returns their total length. */
function spareBytes(pool: BufferPool, given: ReadonlySet<ArrayBuffer>): number {
  const missing = new Set(given)
  let bytes = 0
  for (const { byteLength } of given) {
    const buffer = pool.take(byteLength)
    if (missing.delete(buffer)) bytes += buffer.byteLength
  }
  return bytes
}

describe('large buffers are reused', () => {
  test.each([
    { name: 'the same size', given: 2 * MB, needed: 2 * MB, isSame: true },
    { name: 'a little less', given: 2 * MB, needed: 2 * MB - 1, isSame: true },
    { name: 'half of it, which would waste the rest', given: 2 * MB, needed: MB, isSame: false },
    { name: 'more than it has', given: 2 * MB, needed: 2 * MB + 1, isSame: false },
    { name: 'small buffers are not kept', given: 32 * KB, needed: 32 * KB, isSame: false },
    { name: 'huge buffers are not kept', given: 9 * MB, needed: 9 * MB, isSame: false },
  ])('$name', ({ given, needed, isSame }) => {
    const pool = new BufferPool()
    const buffer = new ArrayBuffer(given)
    pool.give(buffer)
    const taken = pool.take(needed)
    expect(taken === buffer).toBe(isSame)
    expect(taken.byteLength).toBeGreaterThanOrEqual(needed)
  })

  test('no buffer has two owners, and unused memory is limited', () => {
    const pool = new BufferPool()
    const size = fc.integer({ min: 1, max: 9 * MB })
    fc.assert(
      fc.property(fc.array(fc.oneof(size, fc.constant('give' as const)), { maxLength: 60 }), (actions) => {
        const held: ArrayBuffer[] = []
        const given = new Set<ArrayBuffer>()
        for (const action of actions) {
          if (action === 'give') {
            const buffer = held.shift()
            if (buffer) {
              pool.give(buffer)
              given.add(buffer)
            }
            continue
          }
          const buffer = pool.take(action)
          expect(held).not.toContain(buffer)
          expect(buffer.byteLength).toBeGreaterThanOrEqual(action)
          held.push(buffer)
        }
        expect(spareBytes(pool, given)).toBeLessThanOrEqual(32 * MB)
      }),
      { numRuns: 50 },
    )
  })
})

describe('bodies and answers in reused buffers', () => {
  const started: ApiServer[] = []
  afterEach(async () => {
    for (const api of started.splice(0)) await cut(api)
  })

  /** Answers with the request's body, in the same buffer. */
  async function mirror(call: Call): Promise<Reply> {
    const read = await call.readBody(4 * MB, call.network)
    if (typeof read === 'string') throw new Error(read)
    return { kind: 'result', body: read }
  }

  async function start(): Promise<ApiServer> {
    const api = await startApi(mirror)
    started.push(api)
    return api
  }

  const POST = 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n'
  const request = (text: string): string => `${POST}Content-Length: ${text.length}\r\n\r\n${text}`
  const chunked = (text: string): string =>
    `${POST}Transfer-Encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

  test('each caller gets its own bytes, whatever the sizes of earlier bodies', async () => {
    const { port } = await start()
    const clients = await Promise.all([1, 2, 3].map(() => RawClient.open(port)))
    const sizes = [300 * KB, 65 * KB, MB + 1, 200 * KB, 3 * MB, 64 * KB, 2 * MB, 10]
    for (const [round, size] of sizes.entries()) {
      await Promise.all(
        clients.map(async (client, number) => {
          const text = `${number}`.repeat(size - number)
          client.send((round + number) % 2 === 0 ? request(text) : chunked(text))
          expect((await client.response())?.body === text).toBe(true)
        }),
      )
    }
    for (const client of clients) client.close()
  })

  test('an answer that its caller reads late is not overwritten by later requests', async () => {
    const { port } = await start()
    const late = await RawClient.open(port)
    late.socket.pause()
    const text = 'late'.repeat(MB)
    late.send(request(text))
    const others = await Promise.all([1, 2, 3, 4].map(() => RawClient.open(port)))
    for (const other of others) {
      other.send(request('x'.repeat(4 * MB)))
      await other.response()
    }
    late.socket.resume()
    expect((await late.response())?.body === text).toBe(true)
    for (const client of [late, ...others]) client.close()
  })
})
