import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startServer } from '../support/server.ts'

/** Not a whole number of blocks, and more than one. */
const CALLS = 53

describe('every call that was answered has its line, however the server ends', () => {
  test.each([
    { name: 'SIGTERM', signals: ['SIGTERM'], drainSeconds: '0' },
    { name: 'SIGINT', signals: ['SIGINT'], drainSeconds: '0' },
    { name: 'a second signal in the middle of a stop', signals: ['SIGTERM', 'SIGTERM'], drainSeconds: '600' },
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
        await expect.poll(readiness, { timeout: 60_000 }).not.toBe(200)
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
