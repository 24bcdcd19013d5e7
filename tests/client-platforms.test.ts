import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchChromium } from './support/browser.ts'
import { bundle, installInto, pack, run } from './support/packages.ts'
import { freePort } from './support/ports.ts'
import { type RunningServer, removeFolder, startServer } from './support/server.ts'

/*
 * The client as npm packs it, on each platform that it supports, with a real service. Deno and Bun are tested if they
 * are installed: `npm install --prefix FOLDER deno bun`, with FOLDER/node_modules/.bin in the PATH.
 */

let server: RunningServer
let browser: Browser
let folder: string
let project: string
let silent: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  silent = await listen(() => {})
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-platforms-'))
  project = join(folder, 'project')
  await installInto(project, await pack(['protocol', 'client'], folder))
  server = await startServer()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  silent?.server.close()
  await removeFolder(server.folder)
  await rm(folder, { recursive: true, force: true })
})

/** A script that makes calls of every kind and prints answers and errors as one object. */
const callsOf = (settings: { baseUrl: string; apiKey?: string; silent: string; unreachable: string }) => `
  import { Keepfirst } from '@keepfirst/client'

  const { silent, unreachable, ...service } = ${JSON.stringify(settings)}
  const client = new Keepfirst(service)
  const failure = (call) => call.then(() => 'none', ({ name, status }) => ({ name, status }))
  let waits = 0
  const disconnected = new Keepfirst({ baseUrl: unreachable, sleep: async () => { waits++ } })
  const outcomes = {
    lines: await client.lines('Ada\\nGrace\\n ada', { trim: true, ignoreCase: true }),
    rows: await client.rows('n,é\\n1,"x, y"\\n2,"x, y"', { keyColumns: [1] }),
    json: await client.json([{ id: 1 }, { id: 1 }, { id: '1' }], { key: 'id' }),
    jsonText: await client.jsonText('[9007199254740993, 9007199254740992, 9007199254740993]'),
    refusal: await failure(new Keepfirst({ baseUrl: service.baseUrl }).rows('a', { fuzzy: true })),
    aborted: await failure(client.lines('a', {}, { signal: AbortSignal.abort() })),
    late: await failure(new Keepfirst({ baseUrl: silent }).lines('a', {}, { timeoutMs: 20 })),
    unreachable: await failure(disconnected.lines('a')),
    waits,
  }
  console.log(JSON.stringify(outcomes))
`
const OUTCOMES = {
  lines: { result: ['Ada', 'Grace'], kept: 2, removed: 1 },
  rows: { result: 'n,é\n1,"x, y"', kept: 1, removed: 1 },
  json: { result: [{ id: 1 }, { id: '1' }], kept: 2, removed: 1 },
  jsonText: { result: '[9007199254740993,9007199254740992]', kept: 2, removed: 1 },
  refusal: { name: 'ForbiddenError', status: 403 },
  aborted: { name: 'AbortError', status: null },
  late: { name: 'TimeoutError', status: null },
  unreachable: { name: 'ConnectionError', status: null },
}

/** Of a server that never answers, and of one that does not exist. */
async function otherAddresses() {
  return { silent: silent.address, unreachable: `http://127.0.0.1:${await freePort()}` }
}

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0

describe('a separate program', () => {
  test.for([
    { program: process.execPath, args: [], name: 'Node.js' },
    { program: 'deno', args: ['run', '--allow-net'], name: 'Deno' },
    { program: 'bun', args: ['run'], name: 'Bun' },
  ])('on $name', async ({ program, args, name }, { skip }) => {
    skip(!isInstalled(program), `${name} is not installed`)
    const { token } = await server.key(`${name}@example.com`)
    const settings = { baseUrl: server.baseUrl, apiKey: token, ...(await otherAddresses()) }
    await writeFile(join(project, 'calls.mjs'), callsOf(settings))
    const printed = await run(project, program, [...args, 'calls.mjs'])
    // If no server listens, nothing can have been billed, so the call is retried four times.
    expect(JSON.parse(printed)).toEqual({ ...OUTCOMES, waits: 4 })
  })
})

describe('a page from another origin', () => {
  test('gets its answers', async () => {
    const settings = { baseUrl: server.baseUrl, ...(await otherAddresses()) }
    const script = await bundle(project, 'calls', callsOf(settings))
    // A browser does not reveal whether it connected, so the call is not retried.
    expect(await printedOnPage(script)).toEqual({ ...OUTCOMES, waits: 0 })
  })

  test('cannot send a key: only the header Content-Type is allowed', async () => {
    const { token } = await server.key('page@example.com')
    const script = await bundle(
      project,
      'key',
      `import { Keepfirst } from '@keepfirst/client'
      const client = new Keepfirst({ baseUrl: '${server.baseUrl}', apiKey: '${token}' })
      console.log(JSON.stringify(await client.lines('a').catch(({ name }) => name)))`,
    )
    expect(await printedOnPage(script)).toBe('ConnectionError')
    expect(await server.events('page@example.com')).toEqual([])
  })

  test('waits as long as the body says, since it cannot read the header', async () => {
    const { token } = await server.key('burst@example.com', 'free')
    for (let sent = 0; sent < 60; sent++) {
      expect((await server.call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(200)
    }
    const proxy = await listen(withKey(token))
    const script = await bundle(
      project,
      'burst',
      `import { Keepfirst } from '@keepfirst/client'
      let header = 'unseen'
      const recordingFetch = async (...call) => {
        const response = await fetch(...call)
        header = response.headers.get('Retry-After')
        return response
      }
      const waitsMs = []
      const sleep = async (durationMs) => { waitsMs.push(durationMs) }
      const client = new Keepfirst({ baseUrl: '${proxy.address}', timeoutMs: 36_000_000, fetch: recordingFetch, sleep })
      const failure = await client.lines('a').catch((failure) => failure)
      console.log(JSON.stringify({ header, waitsMs, ...failure }))`,
    )
    const { waitsMs, ...printed } = await printedOnPage(script)
    proxy.server.close()
    expect(printed).toMatchObject({ header: null, name: 'RateLimitError', status: 429, limit: 60 })
    expect(printed.retryAfter).toBeGreaterThanOrEqual(1)
    expect(printed.retryAfter).toBeLessThanOrEqual(3_600)
    expect(waitsMs).toHaveLength(4)
    expect(Math.min(...waitsMs)).toBeGreaterThan(printed.retryAfter * 1_000)
  })
})

/** Runs a script in a page with its own origin; returns the value that it prints. */
async function printedOnPage(script: string) {
  const pages = await listen((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>A page</title><script type="module">${script}</script>`)
  })
  const page = await browser.newPage()
  try {
    // Chromium itself reports refused requests on the console, as errors.
    const printed = page.waitForEvent('console', (message) => message.type() === 'log')
    await page.goto(pages.address)
    return JSON.parse((await printed).text())
  } finally {
    await page.close()
    pages.server.close()
  }
}

async function listen(listener: RequestListener): Promise<{ server: Server; address: string }> {
  const port = await freePort()
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { server, address: `http://127.0.0.1:${port}` }
}

/** A proxy that adds the key to a page's requests and returns the answers unchanged. */
function withKey(token: string): RequestListener {
  return (incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request(`${server.baseUrl}${url}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}` },
    })
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  }
}
