import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startDnsServer } from '../support/dns-server.ts'
import { startServer } from '../support/server.ts'

describe('a graceful stop', () => {
  test('a request under way is answered, and the process ends with code 0', async () => {
    const server = await startServer()
    const body = JSON.stringify({ mode: 'lines', data: 'a\na' })
    const socket = connect(server.port, '127.0.0.1')
    const half = body.slice(0, 10)
    socket.write(`POST /api/dedupe HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${half}`)
    await new Promise((sent) => setTimeout(sent, 300))
    const exit = new Promise((done) => server.process.once('exit', done))
    server.process.kill('SIGTERM')
    await new Promise((begun) => setTimeout(begun, 300))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += String(chunk)
    })
    const closed = new Promise((done) => socket.once('close', done))
    socket.write(body.slice(10))
    await closed
    expect(answer).toContain('{"result":["a"],"kept":1,"removed":1}')
    expect(await exit).toBe(0)
  })

  test('a request that waits for DNS is answered', async () => {
    const dns = await startDnsServer(() => 'silence')
    const server = await startServer({ env: { DNS_SERVERS: dns.address, VALIDATE_DNS_SECONDS: '2' } })
    const { token } = await server.key('waits@example.com')
    const answer = server.call({ path: '/api/validate', token, body: { emails: ['jo@silent.example'] } })
    while (!dns.asked.has('silent.example')) await new Promise((later) => setTimeout(later, 10))
    const exit = new Promise((done) => server.process.once('exit', done))
    server.process.kill('SIGTERM')
    expect((await answer).json).toMatchObject({ results: [{ valid: true, mx: null }] })
    expect(await exit).toBe(0)
    await dns.close()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s without anything under way ends at once with code 0',
    async (signal) => {
      const server = await startServer()
      const exit = new Promise((done) => server.process.once('exit', done))
      server.process.kill(signal)
      expect(await exit).toBe(0)
    },
  )
})
