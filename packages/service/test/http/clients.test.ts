import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PLANS, refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiServer, cut, startApi } from '../support/api-server.ts'

const run = promisify(execFile)
const MB = 1_024 * 1_024

let api: ApiServer
let folder: string
beforeAll(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-clients-'))
})
afterAll(async () => {
  await cut(api)
  await rm(folder, { recursive: true })
})

const url = (): string => `http://127.0.0.1:${api.port}/api/dedupe`

/** Each sends a body of the given length and returns body and status of the answer. */
const clients: Record<string, (bodyBytes: number, headers: Record<string, string>) => Promise<string>> = {
  async curl(bodyBytes, headers) {
    const file = join(folder, `${bodyBytes}`)
    await writeFile(file, Buffer.alloc(bodyBytes, 'x'))
    const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const { stdout } = await run('curl', ['-sS', '-w', ' %{http_code}', ...flags, '--data-binary', `@${file}`, url()])
    return stdout
  },
  async fetch(bodyBytes, headers) {
    const response = await fetch(url(), { method: 'POST', headers, body: Buffer.alloc(bodyBytes, 'x') })
    return `${await response.text()} ${response.status}`
  },
  async 'fetch of a stream'(bodyBytes, headers) {
    const body = new Blob([Buffer.alloc(bodyBytes, 'x')]).stream()
    const request = { method: 'POST', headers, body, duplex: 'half' }
    const response = await fetch(url(), request)
    return `${await response.text()} ${response.status}`
  },
  async 'http.client'(bodyBytes, headers) {
    const { hostname, port, pathname } = new URL(url())
    const script = `import http.client, json, sys
connection = http.client.HTTPConnection('${hostname}', ${port})
connection.request('POST', '${pathname}', body=b'x' * ${bodyBytes}, headers=json.loads(sys.argv[1]))
response = connection.getresponse()
print(response.read().decode(), response.status, end='')`
    const { stdout } = await run('python3', ['-c', script, JSON.stringify(headers)])
    return stdout
  },
}

const refused = `${JSON.stringify(refuse.bodyTooLarge(PLANS.keyless).body)} 413`

describe.each(Object.keys(clients))('%s can read an early refusal', (name) => {
  const send = clients[name] ?? clients.curl
  test.each([
    { name: 'one byte over the cap', bodyBytes: PLANS.keyless.bodyBytes + 1, headers: {} },
    { name: '5 MB', bodyBytes: 5 * MB, headers: {} },
    { name: '50 MB, more than any buffer in between', bodyBytes: 50 * MB, headers: {} },
    { name: 'on a connection that is closed afterwards', bodyBytes: 5 * MB, headers: { Connection: 'close' } },
  ])('$name', async ({ bodyBytes, headers }) => {
    expect(await send?.(bodyBytes, headers)).toBe(refused)
  })

  test('and the answer to a body within the cap', async () => {
    expect(await send?.(200_000, {})).toBe('{"bytes":200000} 200')
  })
})

test.each([
  { name: 'with Expect: 100-continue', headers: { Expect: '100-continue' } },
  { name: 'without Expect', headers: { Expect: '' } },
  { name: 'in chunks', headers: { Expect: '', 'Transfer-Encoding': 'chunked' } },
  { name: 'in chunks, with Expect: 100-continue', headers: { Expect: '100-continue', 'Transfer-Encoding': 'chunked' } },
])('curl can read an early refusal $name', async ({ headers }) => {
  expect(await clients.curl?.(5 * MB, headers)).toBe(refused)
})
