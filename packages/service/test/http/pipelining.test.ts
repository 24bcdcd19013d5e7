import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RawClient } from '../../../../tests/support/raw-client.ts'
import { runs } from '../../../../tests/support/runs.ts'
import { PipelineBacklog } from '../../src/http/pipeline-backlog.ts'
import type { Call, Reply } from '../../src/requests/call.ts'
import { type ApiServer, cut, echo, gate, startApi } from '../support/api-server.ts'

const started: ApiServer[] = []
afterEach(async () => {
  for (const api of started.splice(0)) await cut(api)
})

async function start(handle: (call: Call) => Promise<Reply> = echo): Promise<ApiServer> {
  const api = await startApi(handle)
  started.push(api)
  return api
}

/** Makes this many calls on another connection; by then, the server has read everything that was sent before. */
async function exchanges(port: number, count: number): Promise<void> {
  const other = await RawClient.open(port)
  for (let calls = 0; calls < count; calls += 1) {
    other.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await other.response()
  }
  other.close()
}

const POST = 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n'
const body = (text: string): string => `Content-Length: ${text.length}\r\n\r\n${text}`
/** The shortest request. */
const TINY = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

describe('requests pipelined behind a slow one are not read', () => {
  let parsed = 0
  const count = (): void => {
    parsed += 1
  }
  beforeEach(() => {
    parsed = 0
    subscribe('http.server.request.start', count)
  })
  afterEach(() => unsubscribe('http.server.request.start', count))

  test.each([
    { name: 'tiny requests', request: TINY, connections: 1, max: 950 },
    { name: 'tiny requests, on many connections', request: TINY, connections: 100, max: 4_000 },
    {
      name: 'requests with large headers',
      request: `${POST}x: ${'x'.repeat(10_000)}\r\n${body('hi')}`,
      connections: 1,
      max: 30,
    },
  ])('$name', async ({ request, connections, max }) => {
    const { handle, go } = gate('after reading')
    const { port } = await start(handle)
    const clients = await Promise.all(Array.from({ length: connections }, () => RawClient.open(port)))
    for (const client of clients)
      client.send(POST + body('x'.repeat(100_000)) + request.repeat(Math.ceil(300_000 / request.length)))
    const calls = 100
    await exchanges(port, calls)
    expect(parsed - calls).toBeLessThan(max)
    go()
    for (const client of clients) client.close()
  })

  test('and most of 30 MB stays in the buffer of the client', async () => {
    const { handle, go } = gate('after reading')
    const { port } = await start(handle)
    const client = await RawClient.open(port)
    const padded = `${POST}x: ${'x'.repeat(10_000)}\r\n${body('hi')}`
    client.send(padded.repeat(3_000))
    await exchanges(port, 100)
    expect(client.socket.writableLength).toBeGreaterThan(15_000_000)
    go()
    for (let index = 0; index < 3_000; index += 1) expect(await client.response()).toMatchObject({ status: 200 })
    client.close()
  })
})

describe('all pipelined requests are answered in order', () => {
  const padding = fc.constantFrom(0, 1, 100, 4_090, 10_000)
  const content = fc.constantFrom(0, 1, 2, 4_000, 5_000, 70_000)
  const requests = fc.array(fc.record({ padding, content, chunked: fc.boolean() }), { minLength: 1, maxLength: 60 })
  const pieces = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 10 })

  test('with any bodies, in chunks of any size', async () => {
    const { port } = await start()
    await fc.assert(
      fc.asyncProperty(requests, pieces, async (requests, pieces) => {
        const client = await RawClient.open(port)
        const bytes = requests.map(({ padding, content, chunked }) => {
          const text = 'x'.repeat(content)
          const framed = chunked
            ? `Transfer-Encoding: chunked\r\n\r\n${text && `${content.toString(16)}\r\n${text}\r\n`}0\r\n\r\n`
            : body(text)
          return `${POST}x: ${'x'.repeat(padding)}\r\n${framed}`
        })
        for (let rest = bytes.join(''), turn = 0; rest !== ''; turn += 1) {
          const length = pieces[turn % pieces.length] ?? 1
          client.send(rest.slice(0, length))
          rest = rest.slice(length)
        }
        for (const { content } of requests) {
          expect(await client.response()).toMatchObject({ status: 200, body: `{"bytes":${content}}` })
        }
        client.close()
      }),
      { numRuns: runs(500) },
    )
  })

  test('if the client reads the answers later', async () => {
    const { port } = await start()
    const client = await RawClient.open(port)
    client.socket.pause()
    const requests = 20_000
    client.send(`OPTIONS /api/dedupe HTTP/1.1\r\nHost: a\r\n${'\r\n'}`.repeat(requests))
    await exchanges(port, 100)
    client.socket.resume()
    for (let index = 0; index < requests; index += 1) {
      expect(await client.response({ hasBody: false })).toMatchObject({ status: 204 })
    }
    client.close()
  })
})

test('quick answers to a client that pipelines do not delay other clients', async () => {
  let served = 0
  const { port } = await start(async (call) => {
    served += 1
    return echo(call)
  })
  const clients = await Promise.all(Array.from({ length: 20 }, () => RawClient.open(port)))
  for (const client of clients) client.send((POST + body('hi')).repeat(2_000))
  await exchanges(port, 10)
  expect(served).toBeLessThan(20_000)
  for (const client of clients) client.close()
})

describe('a backlog', () => {
  test('is overloaded while more requests than its limit wait', () => {
    const backlog = new PipelineBacklog(2)
    const states = [() => backlog.add(), () => backlog.add(), () => backlog.add(), () => backlog.remove(2)].map(
      (step) => {
        step()
        return backlog.isOverloaded
      },
    )
    expect(states).toEqual([false, false, true, false])
  })

  test('is served in order, a few requests per turn of the event loop', async () => {
    const backlog = new PipelineBacklog(0)
    const served: number[] = []
    for (let index = 0; index < 30; index += 1) backlog.serveInTurn(() => served.push(index))
    const turns: number[] = []
    while (served.length < 30) {
      await new Promise((resolve) => setImmediate(resolve))
      turns.push(served.length)
    }
    expect(turns).toEqual([8, 16, 24, 30])
    expect(served).toEqual(Array.from({ length: 30 }, (_, index) => index))
  })
})
