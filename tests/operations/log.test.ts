import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startServer } from '../support/server.ts'

/** More than one block of log lines, and not a whole number of blocks. */
const CALLS = 53

describe('every answered call has a log line, no matter how the server stops', () => {
  test.each([
    { name: 'SIGTERM', signals: ['SIGTERM'], drainSeconds: '0' },
    { name: 'SIGINT', signals: ['SIGINT'], drainSeconds: '0' },
    { name: 'a second signal during a graceful stop', signals: ['SIGTERM', 'SIGTERM'], drainSeconds: '600' },
  ] as const)('$name', async ({ signals, drainSeconds }) => {
    const server = await startServer({ env: { DRAIN_SECONDS: drainSeconds } })
    const body = { mode: 'lines', data: 'a' }
    await Promise.all(Array.from({ length: CALLS }, () => server.call({ body })))
    const closed = once(server.process, 'close')
    for (const signal of signals) {
      server.process.kill(signal)
      if (drainSeconds !== '0') {
        const readiness = () =>
          server.call({ method: 'GET', path: '/readyz' }).then(
            ({ status }) => status,
            () => 0,
          )
        await expect.poll(readiness).not.toBe(200)
      }
    }
    await closed
    const lines = (await server.log())
      .trim()
      .split('\n')
      .map((line): { msg?: string } => JSON.parse(line))
    expect(lines.filter(({ msg }) => msg === 'call')).toHaveLength(CALLS)
  })
})

test('every call has a unique identifier in its log lines, but not in its answer', async () => {
  const server = await startServer()
  const body = { mode: 'lines', data: 'a' }
  const answers = [await server.call({ body }), await server.call({ body, token: 'kf_live_unknown' })]
  await server.stop()
  const identifiers = (await server.log()).match(/(?<="requestId":")[^"]+/g) ?? []
  expect(new Set(identifiers).size).toBe(2)
  for (const { text, headers } of answers) {
    for (const identifier of identifiers) expect(text + JSON.stringify(headers)).not.toContain(identifier)
  }
})
