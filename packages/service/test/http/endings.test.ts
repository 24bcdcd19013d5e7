import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { Server } from 'node:http'
import { refuse } from '@keepfirst/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { RawClient } from '../../../../tests/support/raw-client.ts'
import { ClientDisconnected } from '../../src/client-connection.ts'
import type { Reply } from '../../src/requests/call.ts'
import { type ApiServer, cut, echo, gate, result, startApi, stopOf } from '../support/api-server.ts'

const started: ApiServer[] = []
afterEach(async () => {
  for (const api of started.splice(0)) await cut(api)
})

async function start(...parts: Parameters<typeof startApi>): Promise<ApiServer> {
  const api = await startApi(...parts)
  started.push(api)
  return api
}

const POST = 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n'
const body = (text: string): string => `Content-Length: ${text.length}\r\n\r\n${text}`

describe('a client that closes its sending side', () => {
  test('gets its answer', async () => {
    const { port } = await start()
    const client = await RawClient.open(port)
    client.socket.end(POST + body('hi'))
    expect(await client.response()).toMatchObject({ status: 200, body: '{"bytes":2}' })
    expect(await client.ended()).toBe('')
  })

  test('is sent 100 Continue during long work, to find out whether it is still there, and gets its answer', async () => {
    const { handle, go } = gate()
    const { port } = await start(handle)
    const client = await RawClient.open(port)
    client.socket.end(POST + body('hi'))
    expect(await client.response()).toMatchObject({ status: 100 })
    go()
    let response = await client.response()
    while (response?.status === 100) response = await client.response()
    expect(response).toMatchObject({ status: 200, body: '{"bytes":2}' })
  })

  test('in the middle of a body has sent a bad request', async () => {
    const { port } = await start()
    const client = await RawClient.open(port)
    client.socket.end(`${POST}Content-Length: 10\r\n\r\nhi`)
    expect(await client.response()).toMatchObject({ status: 400, body: JSON.stringify(refuse.badRequest().body) })
    expect(await client.ended()).toBe('')
  })

  test('before it has sent anything is disconnected', async () => {
    const { port } = await start()
    const client = await RawClient.open(port)
    client.socket.end()
    expect(await client.ended()).toBe('')
  })
})

describe('a client that disconnects', () => {
  test.each(['is closed', 'is reset'])(
    'in the middle of its body: the handler is told, and all memory is released (connection %s)',
    async (how) => {
      let caught = (_: unknown): void => {}
      const disconnected = new Promise((resolve) => {
        caught = resolve
      })
      const { port, memory, faults } = await start(async (call) => {
        try {
          return await echo(call)
        } catch (error) {
          caught(error)
          throw error
        }
      })
      const client = await RawClient.open(port)
      client.send(`${POST}Content-Length: 200000\r\n\r\n${'x'.repeat(100_000)}`)
      if (how === 'is reset') client.socket.resetAndDestroy()
      else client.socket.destroy()
      expect(await disconnected).toBeInstanceOf(ClientDisconnected)
      await expect.poll(() => memory.heldBytes).toBe(0)
      expect(faults).toEqual([])
    },
  )

  test.each(['is closed', 'is reset'])(
    'while its request is running: the signal aborts (connection %s)',
    async (how) => {
      const { handle, entered, go } = gate()
      const { port } = await start(handle)
      const client = await RawClient.open(port)
      client.send(POST + body('hi'))
      const { signal } = await entered
      if (how === 'is reset') client.socket.resetAndDestroy()
      else client.socket.destroy()
      if (!signal.aborted) await once(signal, 'abort')
      go()
    },
  )

  test('a signal that is first read after that is already aborted', async () => {
    const { handle, entered, go } = gate()
    const { port } = await start(handle)
    const client = await RawClient.open(port)
    client.send(`${POST}Content-Length: 10\r\n\r\nhi`)
    const call = await entered
    client.socket.resetAndDestroy()
    await expect(call.readBody(10, call.network)).rejects.toThrow(ClientDisconnected)
    expect(call.signal.aborted).toBe(true)
    go()
  })

  test('its pipelined requests are not started', async () => {
    const { handle, entered, go } = gate()
    let begun = 0
    const { port } = await start((call) => {
      begun += 1
      return handle(call)
    })
    const client = await RawClient.open(port)
    client.send((POST + body('hi')).repeat(3))
    const { signal } = await entered
    client.socket.resetAndDestroy()
    if (!signal.aborted) await once(signal, 'abort')
    go()
    const other = await RawClient.open(port)
    other.send(POST + body('hi'))
    await other.response()
    expect(begun).toBe(2)
    other.close()
  })
})

describe('a visitor of a page who disconnects is not logged as a fault', () => {
  test.each([
    {
      name: 'in the middle of a form',
      bytes: 'POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"',
    },
    {
      name: 'in the middle of a form in chunks',
      bytes:
        'POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n',
    },
    { name: 'before its answer', bytes: 'GET /late-fault HTTP/1.1\r\nHost: a\r\n\r\n' },
  ])('$name', async ({ bytes }) => {
    const { port, faults } = await start()
    const client = await RawClient.open(port)
    client.send(bytes)
    const other = await RawClient.open(port) // served after the first, so the first one's bytes have arrived
    other.send(POST + body('hi'))
    await other.response()
    client.socket.resetAndDestroy()
    for (let calls = 0; calls < 5; calls += 1) {
      other.send('GET /late HTTP/1.1\r\nHost: a\r\n\r\n')
      await other.response()
    }
    expect(faults).toEqual([])
    other.close()
  })
})

describe('concurrent requests for one path are limited', () => {
  test('per network and in total; those beyond are refused at once, until others end', async () => {
    const { port } = await start(echo, { trustProxy: '127.0.0.0/8' })
    const ask = async (from: string, target: string): Promise<RawClient> => {
      const client = await RawClient.open(port)
      client.send(`GET ${target} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n\r\n`)
      return client
    }
    const statusOf = async (client: RawClient) => (await client.response())?.status
    const waiting = [await ask('192.0.2.1', '/limited/wait'), await ask('192.0.2.1', '/limited/wait')]
    expect(await statusOf(await ask('192.0.2.1', '/limited/quick'))).toBe(503)
    expect(await statusOf(await ask('192.0.2.2', '/limited/quick'))).toBe(200)
    waiting.push(await ask('192.0.2.2', '/limited/wait'))
    expect(await statusOf(await ask('192.0.2.3', '/limited/quick'))).toBe(503)
    for (const client of waiting) client.socket.resetAndDestroy()
    await expect.poll(async () => statusOf(await ask('192.0.2.1', '/limited/quick'))).toBe(200)
  })
})

describe('slow senders', () => {
  const timeouts = { headersMs: 300, requestMs: 600, stalledMs: 60_000, checkEveryMs: 50 }
  test.each([
    { name: 'nothing', bytes: '' },
    { name: 'half of the headers', bytes: `${POST}Content-Le` },
    { name: 'half of the body', bytes: `${POST}Content-Length: 10\r\n\r\nhi` },
    { name: 'half of the chunks', bytes: `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n` },
  ])('$name, then silence: 408, and the connection is closed', async ({ bytes }) => {
    const { port } = await start(echo, { timeouts })
    const client = await RawClient.open(port)
    client.send(bytes)
    expect(await client.response()).toMatchObject({ status: 408, body: JSON.stringify(refuse.timedOut().body) })
    expect(await client.ended()).toBe('')
  })

  test('a refused body that is never sent: only the refusal is sent', async () => {
    const { port } = await start(echo, {
      timeouts: { headersMs: 2_000, requestMs: 3_000, stalledMs: 60_000, checkEveryMs: 50 },
    })
    const client = await RawClient.open(port)
    client.send(`${POST}Content-Length: 5000000\r\n\r\nhi`)
    expect(await client.response()).toMatchObject({ status: 413 })
    expect(await client.ended()).toBe('')
  })
})

describe('a client that does not read its answer', () => {
  const timeouts = { headersMs: 60_000, requestMs: 60_000, stalledMs: 300, checkEveryMs: 50 }

  test('is disconnected, and all memory is released', async () => {
    const large: Reply = { kind: 'result', body: new Uint8Array(64 * 1_024 * 1_024) } // more than all buffers in between
    const { port, memory } = await start(async (call) => (await call.readBody(10, call.network)) && large, { timeouts })
    const client = await RawClient.open(port)
    client.socket.pause()
    client.send(POST + body('hi'))
    await expect.poll(() => memory.heldBytes).toBe(2)
    await expect.poll(() => memory.heldBytes).toBe(0)
    client.close()
  })

  test('is not disconnected while its request is running', async () => {
    const { handle, entered, go } = gate()
    const { port } = await start(handle, { timeouts })
    const client = await RawClient.open(port)
    client.send(POST + body('hi'))
    await entered
    const idle = await RawClient.open(port) // is closed when the time limit has passed
    await idle.ended()
    go()
    expect(await client.response()).toMatchObject({ status: 200 })
    client.close()
  })
})

describe('the memory for all open bodies together is limited', () => {
  test('beyond the limit: 503; when another request is answered, there is room again', async () => {
    let first = true
    const { handle, go } = gate()
    const { port, memory } = await start(
      async (call) => {
        const isFirst = first
        first = false
        const reply = await echo(call)
        if (isFirst) await handle(call).catch(() => {})
        return reply
      },
      { memoryBytes: 1_000 },
    )
    const holder = await RawClient.open(port)
    holder.send(POST + body('x'.repeat(800)))
    await expect.poll(() => memory.heldBytes).toBe(800)
    const other = await RawClient.open(port)
    other.send(POST + body('x'.repeat(101)))
    expect(await other.response()).toMatchObject({ status: 503, body: JSON.stringify(refuse.busy().body) })
    other.send(POST + body('x'.repeat(80)))
    expect(await other.response()).toMatchObject({ status: 200 })
    go()
    holder.close()
    await expect.poll(() => memory.heldBytes).toBe(0)
    other.send(POST + body('x'.repeat(880)))
    expect(await other.response()).toMatchObject({ status: 200 })
    other.close()
  })

  test('a declared length alone does not reserve memory', async () => {
    const { port, memory } = await start(echo, { memoryBytes: 1_000 })
    const client = await RawClient.open(port)
    client.send(`${POST}Content-Length: 200000\r\n\r\nhi`)
    await expect.poll(() => memory.heldBytes).toBe(2)
    client.close()
  })
})

/**
 * Node's server that receives the next request, to ask whether it listens: if a connection to a freed port succeeds,
 * another process may have taken the port.
 */
function nextServer(): Promise<Server> {
  return new Promise((resolve) => {
    const onRequest = (message: unknown): void => {
      if (typeof message !== 'object' || message === null || !('server' in message)) return
      if (!(message.server instanceof Server)) return
      unsubscribe(REQUEST_STARTED, onRequest)
      resolve(message.server)
    }
    subscribe(REQUEST_STARTED, onRequest)
  })
}

const REQUEST_STARTED = 'http.server.request.start'

describe('a graceful stop', () => {
  const withoutHaste = stopOf({ graceMs: 60_000, lastCallMs: 60_000 })

  test('answers running requests, closes idle connections, accepts no new ones', async () => {
    const node = nextServer()
    const { handle, entered, go } = gate()
    const { port, server } = await startApi(handle)
    const idle = await RawClient.open(port)
    const busy = await RawClient.open(port)
    busy.send(POST + body('hi'))
    await entered
    const stopped = server.stop(withoutHaste)
    expect(await idle.ended()).toBe('')
    expect((await node).listening).toBe(false)
    go()
    const response = await busy.response()
    expect(response).toMatchObject({ status: 200, body: '{"bytes":2}' })
    expect(response?.headers.get('connection')).toBe('close')
    await stopped
  })

  test.each([
    { name: 'a request that has partly arrived', bytes: POST + body('hi'), answer: '{"bytes":2}' },
    { name: 'a page that has partly been requested', bytes: 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', answer: 'a page' },
  ])('serves $name', async ({ bytes, answer }) => {
    const { port, server } = await startApi()
    const client = await RawClient.open(port)
    client.send(bytes.slice(0, 10))
    const other = await RawClient.open(port) // accepted after the first, so those ten bytes have arrived
    other.send(POST + body('hi'))
    await other.response()
    const stopped = server.stop(withoutHaste)
    client.send(bytes.slice(10))
    const response = await client.response()
    expect(response).toMatchObject({ status: 200, body: answer })
    expect(response?.headers.get('connection')).toBe('close')
    await stopped
  })

  test('serves all pipelined requests, and sends Connection: close only with the last answer', async () => {
    const { handle, entered, go } = gate()
    const { port, server } = await startApi(handle)
    const client = await RawClient.open(port)
    client.send((POST + body('hi')).repeat(3))
    await entered
    const stopped = server.stop(withoutHaste)
    go()
    const endings: unknown[] = []
    for (let index = 0; index < 3; index += 1) endings.push((await client.response())?.headers.get('connection'))
    expect(endings).toEqual(['keep-alive', 'keep-alive', 'close'])
    await stopped
  })

  test('drains first: new connections and requests are served, with Connection: close', async () => {
    const node = nextServer()
    const { port, server } = await startApi()
    const idle = await RawClient.open(port)
    idle.send(POST + body('hi'))
    await idle.response()
    const stopped = server.stop({ ...withoutHaste, drainMs: 1_500 })
    const fresh = await RawClient.open(port)
    for (const client of [idle, fresh]) {
      client.send(POST + body('hi'))
      const response = await client.response()
      expect(response).toMatchObject({ status: 200, body: '{"bytes":2}' })
      expect(response?.headers.get('connection')).toBe('close')
      expect(await client.ended()).toBe('')
    }
    await stopped
    expect((await node).listening).toBe(false)
  })

  test('refuses requests after its grace period, and logs that', async () => {
    const { handle, entered } = gate()
    const { port, server, faults } = await startApi(handle)
    const client = await RawClient.open(port)
    client.send(POST + body('hi'))
    await entered
    const late = await RawClient.open(port)
    late.send(POST.slice(0, 10))
    const seen = await RawClient.open(port)
    seen.send('OPTIONS /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n')
    await seen.response()
    const over = new Promise<void>((endWork) => void server.stop(stopOf({ graceMs: 1, endWork, lastCallMs: 60_000 })))
    await over
    late.send(POST.slice(10) + body('hi'))
    expect(await late.response()).toMatchObject({ status: 503, body: JSON.stringify(refuse.stopping().body) })
    expect(faults).toEqual([{ status: 503, error: refuse.stopping().body.error }])
    client.close()
  })

  test('ends long work after its grace period, and sends the answers', async () => {
    const { handle, entered, go } = gate()
    const { port, server } = await startApi(handle)
    const client = await RawClient.open(port)
    client.send(POST + body('hi'))
    await entered
    const stopped = server.stop({ ...withoutHaste, graceMs: 1, endWork: go })
    expect(await client.response()).toMatchObject({ status: 200 })
    await stopped
  })

  test('closes connections that have no answer after the last call', async () => {
    const { handle, entered } = gate()
    const { port, server } = await startApi(handle)
    const client = await RawClient.open(port)
    client.send(POST + body('hi'))
    await entered
    await server.stop(stopOf({ graceMs: 1, lastCallMs: 1 }))
    expect(await client.ended()).toBe('')
  })

  test('a caller behind a trusted proxy is identified by its own address', async () => {
    const { port } = await start(async (call) => result(call.network), { trustProxy: '127.0.0.0/8' })
    const client = await RawClient.open(port)
    client.send(`${POST}X-Forwarded-For: 198.51.100.7\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n`)
    expect(await client.response()).toMatchObject({ body: '"203.0.113.9"' })
    client.close()
  })
})
