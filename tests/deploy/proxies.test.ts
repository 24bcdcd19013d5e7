import { API_HEADERS, PLANS, refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROXIES, type RunningProxy } from '../support/proxies.ts'
import { type CallOptions, callServer, type RunningServer, removeFolder, startServer } from '../support/server.ts'

let server: RunningServer
let token: string
beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: '127.0.0.1' } })
  token = (await server.key('proxied@example.com')).token
})
afterAll(async () => {
  await server.stop()
  await removeFolder(server.folder)
})

const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })
const sized = (bytes: number) => `{"mode":"lines","data":"${'a'.repeat(bytes - 26)}"}`
const BODY_BYTES = PLANS.pro.bodyBytes

describe.each(PROXIES)('$name as configured in deploy/', ({ name, start }) => {
  let proxy: RunningProxy
  beforeAll(async () => {
    proxy = await start([server.port])
  })
  afterAll(() => proxy.stop())
  const call = (options: CallOptions) => callServer(proxy.port, { secure: true, ...options })

  test('a response has the headers of the API', async () => {
    const answer = await call({ body: { mode: 'lines', data: 'a\na' } })
    expect(answer).toMatchObject({ status: 200, json: { result: ['a'], kept: 1, removed: 1 } })
    for (const [header, value] of Object.entries(API_HEADERS)) expect(answer.headers[header.toLowerCase()]).toBe(value)
  })

  test.each([false, true])(
    'the largest body (chunked: %s) and its answer pass through without being written to disk',
    async (chunked) => {
      const before = await proxy.spooledAt()
      const answer = await call({ token, chunked, body: sized(BODY_BYTES) })
      expect(answer.status).toBe(200)
      expect(answer.text.length).toBeGreaterThan(BODY_BYTES - 100)
      expect(await proxy.spooledAt()).toBe(before)
    },
  )

  test.each([
    { name: 'by its declared length', chunked: false, refusal: refuse.declaredTooLarge(PLANS.pro) },
    { name: 'while it is read', chunked: true, refusal: refuse.bodyTooLarge(PLANS.pro) },
  ])('a body that is too large is refused with the message of the API $name', async ({ chunked, refusal }) => {
    expect(await call({ token, chunked, body: sized(BODY_BYTES + 1) })).toMatchObject({
      status: 413,
      json: refusal.body,
    })
  })

  test('a keyless caller is identified by its real address, even if it forges X-Forwarded-For', async () => {
    const [one, two] = name === 'nginx' ? ['127.0.5.1', '127.0.5.2'] : ['127.0.6.1', '127.0.6.2']
    const forged = { 'X-Forwarded-For': '198.51.100.7' }
    expect((await call({ from: one, body: lines(500) })).status).toBe(200)
    expect((await call({ from: one, headers: forged, body: lines(1) })).status).toBe(429)
    expect((await call({ from: two, headers: forged, body: lines(500) })).status).toBe(200)
  })

  test('a request without TLS is redirected to HTTPS, keeping method and body', async () => {
    const answer = await callServer(proxy.plainPort, { body: lines(1), headers: { Host: 'keepfirst.example.com' } })
    expect(answer).toMatchObject({ status: 308, headers: { location: 'https://keepfirst.example.com/api/dedupe' } })
  })

  test('pages are served', async () => {
    expect(await call({ method: 'GET', path: '/' })).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  })
})
