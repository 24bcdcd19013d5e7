import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './support/ports.ts'
import { REPOSITORY, type RunningServer, removeFolder, startServer } from './support/server.ts'

const run = promisify(execFile)

const document = await readFile(join(REPOSITORY, 'docs/python.md'), 'utf8')
const program = /```python\n(.*?)```/s.exec(document)?.[1] ?? ''

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.stop()
  await removeFolder(server.folder)
})

/** Runs the example with its last lines replaced by these. */
async function python(...lines: string[]): Promise<string> {
  const [library = ''] = program.split('\n\nif __name__')
  await writeFile(join(server.folder, 'example.py'), [library, '', ...lines].join('\n'))
  return (await run('python3', ['example.py'], { cwd: server.folder })).stdout
}

describe('the Python example', () => {
  test('prints what the document says', async () => {
    await writeFile(join(server.folder, 'whole.py'), program.replace('http://localhost:8080', server.baseUrl))
    const { stdout } = await run('python3', ['whole.py'], { cwd: server.folder })
    expect(document).toContain(`It prints \`${stdout.trim()}\``)
  })

  test('sends a key, and keeps all digits and characters', async () => {
    const { token } = await server.key('python@example.com')
    const printed = await python(
      `rows = {"mode": "rows", "data": "n\\nJosé\\nJOSÉ", "options": {"fuzzy": True}}`,
      `print(call("${server.baseUrl}/", "/api/dedupe", rows, "${token}")["result"].encode("unicode_escape").decode())`,
      `print(call("${server.baseUrl}", "/api/dedupe", {"mode": "json", "data": [10**30, 10**30 + 1, 10**30]})["result"])`,
    )
    expect(printed).toBe(`n\\nJos\\xe9\n[${10n ** 30n}, ${10n ** 30n + 1n}]\n`)
    expect(await server.events('python@example.com')).toMatchObject([{ mode: 'rows', status: 200 }])
  })

  test('a permanent refusal is raised at once', async () => {
    const printed = await python(
      'try:',
      `    call("${server.baseUrl}", "/api/dedupe", {"mode": "none"})`,
      'except Refused as refused:',
      '    print(refused.status, refused)',
    )
    expect(printed).toBe(`400 400: ${refuse.badMode().body.error}\n`)
  })

  test.each([
    { name: 'a burst', status: 429, body: { error: 'x', retryAfter: 17 }, waits: [17, 17, 17, 17] },
    { name: 'a busy service', status: 503, body: { error: 'x' }, waits: [0, 0, 0, 0] },
    { name: 'fuzzy matching that takes too long', status: 503, body: refuse.fuzzyTooLong().body, waits: [] },
    { name: 'a proxy without a server', status: 503, body: '<html>', waits: [0, 0, 0, 0] },
    { name: 'a proxy with its own kind of error', status: 503, body: { error: { code: 503 } }, waits: [0, 0, 0, 0] },
    { name: 'a proxy whose error is not an object', status: 503, body: ['busy'], waits: [0, 0, 0, 0] },
    { name: 'a redirect, which is not followed', status: 302, body: '<html>', waits: [] },
    { name: 'a spent month', status: 429, body: { error: 'x' }, waits: [] },
    { name: 'an internal error', status: 500, body: '<html>', waits: [] },
  ])('$name: waits of $waits seconds plus a growing random part', async ({ status, body, waits }) => {
    const { port, calls, close } = await startRefusingServer(
      status,
      typeof body === 'string' ? body : JSON.stringify(body),
    )
    const printed = await python(
      'waited = []',
      'time.sleep = waited.append',
      'try:',
      `    call("http://127.0.0.1:${port}", "/api/dedupe", {})`,
      'except Refused as refused:',
      '    print(json.dumps([refused.status, waited]))',
    )
    await close()
    const [raised, waited]: [number, number[]] = JSON.parse(printed)
    expect(raised).toBe(status)
    expect(calls.length).toBe(waits.length + 1)
    expect(waited).toHaveLength(waits.length)
    for (const [attempt, wait] of waits.entries()) {
      expect(waited[attempt]).toBeGreaterThanOrEqual(wait + 0.25 * 2 ** attempt)
      expect(waited[attempt]).toBeLessThanOrEqual(wait + 0.5 * 2 ** attempt)
    }
  })
})

/** A server that refuses every call in the same way. */
async function startRefusingServer(
  status: number,
  body: string,
): Promise<{ port: number; calls: IncomingMessage[]; close(): Promise<void> }> {
  const calls: IncomingMessage[] = []
  const port = await freePort()
  const server: Server = createServer((request, response) => {
    calls.push(request)
    request.resume().on('end', () => response.writeHead(status, { Location: '/' }).end(body))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { port, calls, close: () => new Promise((done) => server.close(() => done())) }
}
