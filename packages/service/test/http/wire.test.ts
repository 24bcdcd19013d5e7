import { METHODS } from 'node:http'
import { API_HEADERS, PLANS, refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RawClient, type RawResponse } from '../../../../tests/support/raw-client.ts'
import { type ApiServer, cut, PAGE_HEADERS, result, startApi } from '../support/api-server.ts'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => cut(api))

/** Headers that HTTP needs to frame a message, in addition to the four headers of the specification. */
const FRAMING = new Set(['content-length', 'date', 'connection', 'keep-alive'])

function expectApiHeaders(response: RawResponse | undefined): void {
  const headers = [...(response?.headers ?? [])].filter(([name]) => !FRAMING.has(name))
  const expected = Object.entries(API_HEADERS).map(([name, value]) => [name.toLowerCase(), value])
  expect(Object.fromEntries(headers)).toEqual(Object.fromEntries(expected))
}

/** Sends raw bytes on a new connection. */
async function exchange(bytes: string | Uint8Array, hasBody = true): Promise<RawResponse | undefined> {
  const client = await RawClient.open(api.port)
  client.send(bytes)
  const response = await client.response({ hasBody })
  client.close()
  return response
}

const { error: methodMessage } = refuse.methodNotAllowed('https://dedupe.example').body

describe('4.3 other methods', () => {
  test.each(METHODS.filter((method) => !['POST', 'OPTIONS', 'CONNECT', 'HEAD'].includes(method)))(
    '%s is answered 405 with the headers of the API',
    async (method) => {
      const response = await exchange(`${method} /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n`)
      expect(response).toMatchObject({ status: 405, body: JSON.stringify({ error: methodMessage }) })
      expectApiHeaders(response)
    },
  )

  test('HEAD is answered 405 without a body', async () => {
    const client = await RawClient.open(api.port)
    client.send('HEAD /api/dedupe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const response = await client.response({ hasBody: false })
    expect(response?.status).toBe(405)
    expectApiHeaders(response)
    expect(await client.ended()).toBe('')
  })

  test('4.2 OPTIONS is answered 204 with the four headers, without a body', async () => {
    const client = await RawClient.open(api.port)
    client.send('OPTIONS /api/dedupe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const response = await client.response()
    expect(response?.status).toBe(204)
    expectApiHeaders(response)
    expect(response?.headers.has('content-length')).toBe(false)
    expect(await client.ended()).toBe('')
  })

  test('CONNECT closes the connection', async () => {
    const client = await RawClient.open(api.port)
    client.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
    expect(await client.ended()).toBe('')
  })
})

describe('routing', () => {
  const post = (target: string, version = 'HTTP/1.1'): string =>
    `POST ${target} ${version}\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi`
  const read = '{"bytes":2}'
  const notFound = '{"error":"not found"}'
  test.each([
    { name: 'the route', bytes: post('/api/dedupe'), status: 200, body: read },
    { name: 'a query string is ignored', bytes: post('/api/dedupe?a=b&c'), status: 200, body: read },
    { name: 'a fragment is ignored', bytes: post('/api/dedupe#a'), status: 200, body: read },
    { name: 'the absolute form', bytes: post('http://any.example:80/api/dedupe?a'), status: 200, body: read },
    { name: 'HTTP/1.0', bytes: post('/api/dedupe', 'HTTP/1.0'), status: 200, body: read },
    { name: 'a trailing slash is another path', bytes: post('/api/dedupe/'), status: 404, body: notFound },
    { name: 'paths are case-sensitive', bytes: post('/api/Dedupe'), status: 404, body: notFound },
    { name: 'escapes in a path are not decoded', bytes: post('/api/%64edupe'), status: 404, body: notFound },
    { name: '/api/ itself', bytes: post('/api/'), status: 404, body: notFound },
    {
      name: 'an unknown path below /api/',
      bytes: 'GET /api/unknown HTTP/1.1\r\nHost: a\r\n\r\n',
      status: 404,
      body: notFound,
    },
    {
      name: 'a preflight request for an unknown path',
      bytes: 'OPTIONS /api/unknown HTTP/1.1\r\nHost: a\r\n\r\n',
      status: 404,
      body: notFound,
    },
  ])('$name: $status', async ({ bytes, status, body }) => {
    const response = await exchange(bytes)
    expect(response).toMatchObject({ status, body })
    expectApiHeaders(response)
  })

  test.each([
    { name: 'HTTP/1.1 without Host', head: 'HTTP/1.1', status: 400 },
    { name: 'HTTP/1.1 with an empty Host', head: 'HTTP/1.1\r\nHost:', status: 200 },
    { name: 'HTTP/1.1 with Host in other letters', head: 'HTTP/1.1\r\nHOST: a', status: 200 },
    { name: 'HTTP/1.1 with only a similar header', head: 'HTTP/1.1\r\nX-Host: a\r\nHos: a\r\nMost: a', status: 400 },
    { name: 'HTTP/1.1 with two', head: 'HTTP/1.1\r\nHost: a\r\nhost: b', status: 400 },
    { name: 'HTTP/1.1 with the same twice', head: 'HTTP/1.1\r\nHost: a\r\nX: y\r\nHost: a', status: 400 },
    { name: 'HTTP/1.0 without Host', head: 'HTTP/1.0', status: 200 },
    { name: 'HTTP/1.0 with Host', head: 'HTTP/1.0\r\nHost: a', status: 200 },
    { name: 'HTTP/1.0 with two', head: 'HTTP/1.0\r\nHost: a\r\nHost: b', status: 400 },
  ])('$name: $status, from the API, a page and a probe', async ({ head, status }) => {
    const targets = ['POST /api/dedupe', 'POST http://a/api/dedupe', 'GET /', 'GET /healthz']
    for (const target of targets) {
      const response = await exchange(`${target} ${head}\r\nContent-Length: 0\r\n\r\n`)
      expect(response?.status).toBe(status)
      if (status === 200) continue
      expect(response?.body).toBe(JSON.stringify(refuse.badRequest().body))
      expectApiHeaders(response)
    }
  })

  test.each([
    { target: '/', body: 'a page' },
    { target: 'http://any.example/', body: 'a page' },
    { target: 'http://any.example', body: 'a page' },
    { target: '/api', body: 'the reference' },
    { target: '/api/openapi.json', body: '{"openapi":"3.1.0"}' },
    { target: '/network', body: '127.0.0.1' },
  ])('$target is a page', async ({ target, body }) => {
    expect(await exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatchObject({ status: 200, body })
  })

  test.each(METHODS.filter((method) => !['GET', 'HEAD', 'CONNECT'].includes(method)))(
    '%s of what is only read, or is not there, is answered 404 with the headers of the API',
    async (method) => {
      for (const path of ['/api/openapi.json', '/api/openapi.json?a', '/api/openapi.json/', '/api/unknown']) {
        const response = await exchange(`${method} ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
        expect(response).toMatchObject({ status: 404, body: notFound })
        expectApiHeaders(response)
      }
    },
  )

  test.each([
    { target: '/', status: 200 },
    { target: '/nowhere', status: 404 },
    { target: '/fault', status: 500 },
    { target: '/healthz', status: 200 },
    { target: '/%zz', status: 400 },
    { target: '/%', status: 400 },
    { target: '/app/%E0%A4%A', status: 400 },
    { target: '/%zz<script>', status: 400 },
    { target: '/assets/%zz', status: 400 },
    { target: '//', status: 404 },
    { target: '/%2e%2e/%00', status: 404 },
    { target: `/${'a'.repeat(8_000)}`, status: 404 },
    { target: `/${'%zz'.repeat(2_000)}`, status: 400 },
  ])('$target: $status with the headers of the pages', async ({ target, status }) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await exchange(`${method} ${target} HTTP/1.1\r\nHost: a\r\n\r\n`, method === 'GET')
      expect(response?.status).toBe(status)
      for (const [name, value] of PAGE_HEADERS) expect(response?.headers.get(name)).toBe(value)
      if (status === 400 && method === 'GET') expect(response?.body).toBe(JSON.stringify(refuse.badRequest().body))
    }
    api.faults.splice(0)
  })

  test('a failing page reveals nothing else', async () => {
    const response = await exchange('GET /fault?secret HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(response).toMatchObject({ status: 500, body: JSON.stringify(refuse.internal().body) })
    expect(JSON.stringify(api.faults.splice(0))).not.toContain('secret')
  })
})

describe('input that is not an HTTP request', () => {
  const dedupe = 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n'
  const bad = { status: 400, error: 'bad request' }
  const large = { status: 431, error: 'headers too large' }
  test.each([
    { name: 'garbage', bytes: '\0\x01\x02\r\n\r\n', ...bad },
    { name: 'a method in lower case', bytes: 'post /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n', ...bad },
    { name: 'an unknown method', bytes: 'DEDUPE /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n', ...bad },
    { name: 'an unknown version', bytes: 'POST /api/dedupe HTTP/9.9\r\n\r\n', ...bad },
    { name: 'an HTTP/2 preface', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...bad },
    { name: 'a TLS handshake', bytes: Buffer.from('160301020001000101', 'hex'), ...bad },
    { name: 'two lengths that differ', bytes: `${dedupe}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi`, ...bad },
    { name: 'two lengths that agree', bytes: `${dedupe}Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi`, ...bad },
    { name: 'a list of lengths', bytes: `${dedupe}Content-Length: 2, 2\r\n\r\nhi`, ...bad },
    { name: 'a negative length', bytes: `${dedupe}Content-Length: -2\r\n\r\n`, ...bad },
    { name: 'a length that is not a number', bytes: `${dedupe}Content-Length: 0x2\r\n\r\nhi`, ...bad },
    { name: 'a length beyond 64 bits', bytes: `${dedupe}Content-Length: 99999999999999999999\r\n\r\n`, ...bad },
    {
      name: 'a length and chunks',
      bytes: `${dedupe}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ...bad,
    },
    { name: 'a chunk without a size', bytes: `${dedupe}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, ...bad },
    {
      name: 'chunked as an encoding that is not the last',
      bytes: `${dedupe}Transfer-Encoding: chunked, gzip\r\n\r\n`,
      ...bad,
    },
    { name: 'a header without a colon', bytes: `${dedupe}nothing\r\n\r\n`, ...bad },
    { name: 'a space in a header name', bytes: `${dedupe}Content-Length : 2\r\n\r\nhi`, ...bad },
    { name: 'a NUL byte in a header', bytes: `${dedupe}x-api-key: \0\r\n\r\n`, ...bad },
    { name: 'a header of 64 KB', bytes: `${dedupe}x-api-key: ${'a'.repeat(65_536)}\r\n\r\n`, ...large },
    { name: '64 KB of headers', bytes: `${dedupe}${'a: b\r\n'.repeat(10_923)}\r\n`, ...large },
    { name: 'a target of 64 KB', bytes: `POST /${'a'.repeat(65_536)} HTTP/1.1\r\nHost: a\r\n\r\n`, ...large },
  ])('$name: $status, and the connection is closed', async ({ bytes, status, error }) => {
    const client = await RawClient.open(api.port)
    client.send(bytes)
    const response = await client.response()
    expect(response).toMatchObject({ status, body: JSON.stringify({ error }) })
    expectApiHeaders(response)
    expect(await client.ended()).toBe('')
    client.close()
  })

  test('1 MB of headers: a client that keeps sending can read the refusal', async () => {
    const client = await RawClient.open(api.port)
    client.send(`POST /api/dedupe HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(175_000)}\r\n`)
    expect(await client.response()).toMatchObject({ status: 431 })
    client.close()
  })
})

describe('unusual but valid requests', () => {
  const dedupe = 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\n'
  test.each([
    { name: 'no Host', bytes: `${dedupe}Content-Length: 2\r\n\r\nhi`, bytesRead: 2 },
    { name: 'no body and no length', bytes: `${dedupe}\r\n`, bytesRead: 0 },
    { name: 'a length of zero', bytes: `${dedupe}Content-Length: 0\r\n\r\n`, bytesRead: 0 },
    { name: 'a length with leading zeros', bytes: `${dedupe}Content-Length: 0002\r\n\r\nhi`, bytesRead: 2 },
    {
      name: 'chunks',
      bytes: `${dedupe}Transfer-Encoding: chunked\r\n\r\n1\r\nh\r\n2;a=b\r\nil\r\n0\r\nx: y\r\n\r\n`,
      bytesRead: 3,
    },
    { name: 'only the last chunk', bytes: `${dedupe}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, bytesRead: 0 },
    { name: 'any Content-Type', bytes: `${dedupe}Content-Type: ;;\r\nContent-Length: 2\r\n\r\nhi`, bytesRead: 2 },
    {
      name: 'an upgrade, which is ignored',
      bytes: `${dedupe}Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 2\r\n\r\nhi`,
      bytesRead: 2,
    },
    {
      name: 'an unknown expectation',
      bytes: `${dedupe}Expect: wonders\r\nContent-Length: 2\r\n\r\nhi`,
      bytesRead: 2,
    },
    { name: 'an empty line first', bytes: `\r\n${dedupe}Content-Length: 2\r\n\r\nhi`, bytesRead: 2 },
    { name: '3,000 headers', bytes: `${dedupe}${'a:\r\n'.repeat(3_000)}Content-Length: 2\r\n\r\nhi`, bytesRead: 2 },
  ])('$name', async ({ bytes, bytesRead }) => {
    const response = await exchange(bytes)
    expect(response).toMatchObject({ status: 200, body: `{"bytes":${bytesRead}}` })
    expectApiHeaders(response)
  })

  test('a request that arrives byte by byte is answered', async () => {
    const client = await RawClient.open(api.port)
    client.socket.setNoDelay(true)
    for (const byte of `${dedupe}Content-Length: 2\r\n\r\nhi`) {
      client.send(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await client.response()).toMatchObject({ status: 200, body: '{"bytes":2}' })
    client.close()
  })
})

describe('8.2 a body over the cap', () => {
  const cap = PLANS.keyless.bodyBytes
  const tooLarge = JSON.stringify(refuse.bodyTooLarge(PLANS.keyless).body)

  test('is refused by its declared length before a byte of it is sent, and the connection remains usable', async () => {
    const client = await RawClient.open(api.port)
    client.send(`POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: ${cap + 1}\r\n\r\n`)
    const response = await client.response()
    expect(response).toMatchObject({ status: 413, body: tooLarge })
    expectApiHeaders(response)
    expect(response?.headers.get('connection')).not.toBe('close')
    client.send(Buffer.alloc(cap + 1))
    client.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi')
    expect(await client.response()).toMatchObject({ status: 200, body: '{"bytes":2}' })
    client.close()
  })

  test.each([
    { name: 'declared, exactly the cap', bytes: `Content-Length: ${cap}\r\n\r\n${'x'.repeat(cap)}`, status: 200 },
    {
      name: 'in chunks, exactly the cap',
      bytes: `Transfer-Encoding: chunked\r\n\r\n${cap.toString(16)}\r\n${'x'.repeat(cap)}\r\n0\r\n\r\n`,
      status: 200,
    },
    {
      name: 'in chunks, one byte more',
      bytes: `Transfer-Encoding: chunked\r\n\r\n${(cap + 1).toString(16)}\r\n${'x'.repeat(cap + 1)}\r\n0\r\n\r\n`,
      status: 413,
    },
  ])('$name: $status', async ({ bytes, status }) => {
    expect((await exchange(`POST /api/dedupe HTTP/1.1\r\nHost: a\r\n${bytes}`))?.status).toBe(status)
  })

  test('without a declared length is refused while it is sent, and the connection remains usable', async () => {
    const client = await RawClient.open(api.port)
    client.send(
      `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${(cap + 1).toString(16)}\r\n`,
    )
    client.send(Buffer.alloc(cap + 1))
    expect(await client.response()).toMatchObject({ status: 413, body: tooLarge })
    client.send('\r\n0\r\n\r\nPOST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi')
    expect(await client.response()).toMatchObject({ status: 200, body: '{"bytes":2}' })
    client.close()
  })

  test('a client that never stops sending is disconnected', async () => {
    const client = await RawClient.open(api.port)
    client.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000), Buffer.from('\r\n')])
    const send = (): void => {
      while (!client.socket.destroyed && client.socket.write(chunk));
    }
    client.socket.on('drain', send)
    send()
    expect(await client.response()).toMatchObject({ status: 413 })
    await client.ended()
  })
})

describe('Expect: 100-continue', () => {
  test('is answered with 100 Continue if the body is acceptable', async () => {
    const client = await RawClient.open(api.port)
    client.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n')
    expect(await client.response()).toMatchObject({ status: 100 })
    client.send('hi')
    expect(await client.response()).toMatchObject({ status: 200, body: '{"bytes":2}' })
    client.close()
  })

  test.each([
    { name: 'too large', head: 'POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000', status: 413 },
    { name: 'to another method', head: 'PUT /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 2', status: 405 },
    { name: 'to an unknown path', head: 'POST /api/nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 2', status: 404 },
  ])('is answered with $status only for a body $name', async ({ head, status }) => {
    const client = await RawClient.open(api.port)
    client.send(`${head}\r\nExpect: 100-continue\r\n\r\n`)
    const response = await client.response()
    expect(response?.status).toBe(status)
    expectApiHeaders(response)
    // The body may follow or not, so the server cannot know whether the next bytes are the body or a request.
    expect(response?.headers.get('connection')).toBe('close')
    client.close()
  })

  test('works for pages too', async () => {
    const client = await RawClient.open(api.port)
    client.send(
      'POST /form HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
    )
    expect(await client.response()).toMatchObject({ status: 100 })
    client.send('{}')
    expect(await client.response()).toMatchObject({ status: 200, body: '{}' })
    client.close()
  })
})

describe('pipelined requests', () => {
  const echo = (text: string): string =>
    `POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: ${text.length}\r\n\r\n${text}`
  const statuses = async (bytes: string, count: number): Promise<unknown[]> => {
    const client = await RawClient.open(api.port)
    client.send(bytes)
    const seen: unknown[] = []
    for (let index = 0; index < count; index += 1) {
      const response = await client.response()
      seen.push(response && `${response.status} ${response.body}`)
    }
    client.close()
    return seen
  }

  test('are answered in order', async () => {
    const bytes = `${echo('a') + echo('')}GET / HTTP/1.1\r\nHost: a\r\n\r\n${echo('abc')}`
    expect(await statuses(bytes, 4)).toEqual(['200 {"bytes":1}', '200 {"bytes":0}', '200 a page', '200 {"bytes":3}'])
  })

  test('are answered before malformed input that follows them', async () => {
    const bytes = `${echo('a')}${echo('ab')}nonsense\r\n\r\n`
    expect(await statuses(bytes, 3)).toEqual(['200 {"bytes":1}', '200 {"bytes":2}', '400 {"error":"bad request"}'])
  })

  test('work after a request whose body was refused', async () => {
    const bytes = `PUT /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello${echo('ab')}`
    const [first, second] = await statuses(bytes, 2)
    expect(first).toMatch(/^405/)
    expect(second).toBe('200 {"bytes":2}')
  })

  test('a thousand at once are all answered, in their order', async () => {
    const lengths = Array.from({ length: 1_000 }, (_, i) => (i % 9) + 1)
    const answers = await statuses(lengths.map((length) => echo('a'.repeat(length))).join(''), lengths.length)
    expect(answers).toEqual(lengths.map((length) => `200 {"bytes":${length}}`))
  })

  test('end with a request that asks to close the connection', async () => {
    const client = await RawClient.open(api.port)
    client.send(`${echo('a')}POST /api/dedupe HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nb`)
    expect(await client.response()).toMatchObject({ status: 200 })
    expect(await client.response()).toMatchObject({ status: 200 })
    expect(await client.ended()).toBe('')
  })
})

describe('a handler that fails', () => {
  test('is a 500 without details, and the error is logged', async () => {
    const failing = await startApi(async () => {
      throw new Error('secret')
    })
    const client = await RawClient.open(failing.port)
    client.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi')
    const response = await client.response()
    expect(response).toMatchObject({ status: 500, body: JSON.stringify(refuse.internal().body) })
    expectApiHeaders(response)
    expect(failing.faults).toEqual([{ err: new Error('secret'), requestId: expect.any(String) }])
    client.close()
    await cut(failing)
  })
})

describe('4.4 Retry-After', () => {
  test.each([
    {
      name: 'is sent with a burst refusal',
      reply: refuse.burst(PLANS.free, { requests: 60, windowSeconds: 3_600 }, 17),
      retryAfter: '17',
    },
    { name: 'is not sent with other refusals', reply: refuse.busy(), retryAfter: undefined },
    { name: 'is not sent with a result', reply: result({}), retryAfter: undefined },
  ])('$name', async ({ reply, retryAfter }) => {
    const fixed = await startApi(async () => reply)
    const client = await RawClient.open(fixed.port)
    client.send('POST /api/dedupe HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await client.response())?.headers.get('retry-after')).toBe(retryAfter)
    client.close()
    await cut(fixed)
  })
})
