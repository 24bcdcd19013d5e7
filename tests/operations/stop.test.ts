import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startDnsServer } from '../support/dns-server.ts'
import { freePort } from '../support/ports.ts'
import { RawClient } from '../support/raw-client.ts'
import { answerAt, COMMAND, callServer, ENVIRONMENT, startServer } from '../support/server.ts'
import { until, untilReady } from '../support/until.ts'

const POST = 'POST /api/dedupe HTTP/1.1\r\nHost: x\r\n'
const body = JSON.stringify({ mode: 'lines', data: 'a\na' })
const answered = { status: 200, body: '{"result":["a"],"kept":1,"removed":1}' }

/** Waits until the server reports that it is stopping. */
async function untilStopping(port: number): Promise<void> {
  await expect.poll(async () => (await answerAt(port, '/readyz'))?.json).toEqual({ status: 'stopping' })
}

describe('a graceful stop', () => {
  test('keeps serving for DRAIN_SECONDS while telling load balancers and clients that it is stopping', async () => {
    const server = await startServer({ env: { DRAIN_SECONDS: '600' } })
    server.process.kill('SIGTERM')
    await untilStopping(server.port)
    const client = await RawClient.open(server.port)
    client.send(`${POST}Content-Length: ${body.length}\r\n\r\n${body}`)
    const response = await client.response()
    expect(response).toMatchObject(answered)
    expect(response?.headers.get('connection')).toBe('close')
    await server.stop('SIGKILL')
  })

  test('a request in progress is answered, and the process exits with code 0', async () => {
    const server = await startServer({ env: { DRAIN_SECONDS: '1' } })
    const client = await RawClient.open(server.port)
    client.send(`${POST}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`)
    const exit = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    await until('its port was closed', async () => (await answerAt(server.port, '/healthz')) === undefined)
    client.send(body.slice(10))
    expect(await client.response()).toMatchObject(answered)
    expect(await exit).toEqual([0, null])
  })

  test('a request that waits for DNS is answered', async () => {
    const dns = await startDnsServer(() => 'silence')
    const server = await startServer({ env: { DNS_SERVERS: dns.address, VALIDATE_DNS_SECONDS: '2' } })
    const { token } = await server.key('waits@example.com')
    const answer = server.call({ path: '/api/validate', token, body: { emails: ['jo@silent.example'] } })
    await until('the domain was queried', () => dns.queries.has('silent.example'))
    const exit = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    expect((await answer).json).toMatchObject({ results: [{ valid: true, mx: null }] })
    expect(await exit).toEqual([0, null])
    await dns.close()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('%s without requests in progress exits with code 0', async (signal) => {
    const server = await startServer()
    const exit = once(server.process, 'exit')
    server.process.kill(signal)
    expect(await exit).toEqual([0, null])
  })
})

describe('an immediate stop', () => {
  test('a second signal', async () => {
    const server = await startServer({ env: { DRAIN_SECONDS: '600' } })
    const exit = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    await untilStopping(server.port)
    server.process.kill('SIGTERM')
    expect(await exit).toEqual([1, null])
  })

  test('SIGINT at a terminal: requests that cannot finish in time are refused and not billed', async () => {
    const dns = await startDnsServer(() => 'silence')
    const port = await freePort()
    const { folder, key, events, stop } = await startServer()
    const env = {
      ...ENVIRONMENT,
      PORT: String(port),
      DATABASE_URL: `sqlite:${folder}/keepfirst.db`,
      DNS_SERVERS: dns.address,
      VALIDATE_DNS_SECONDS: '600',
      DRAIN_SECONDS: '600',
    }
    // `script` runs the server in a terminal, and passes input to it as if it were typed.
    const line = `exec ${process.execPath} ${COMMAND} serve`
    const terminal = spawn('script', ['-qefc', line, '/dev/null'], {
      env,
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    const exit = once(terminal, 'exit')
    await untilReady(terminal, async () => (await answerAt(port, '/readyz'))?.status === 200)
    const { token } = await key('terminal@example.com')
    const answer = callServer(port, {
      path: '/api/validate',
      headers: { Authorization: `Bearer ${token}` },
      body: { emails: ['jo@silent.example'] },
    })
    await until('the domain was queried', () => dns.queries.has('silent.example'))
    terminal.stdin.write('\x03')
    expect(await answer).toMatchObject({ status: 503, json: { error: 'server is stopping; try again later' } })
    expect(await exit).toEqual([0, null])
    expect(await events('terminal@example.com')).toMatchObject([{ status: 503, units: 0 }])
    await stop()
    await dns.close()
  })
})
