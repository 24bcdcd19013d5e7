import { describe, expect, test } from 'vitest'
import { bytesOnDisk, startServer } from '../support/server.ts'

const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })

/** The server under a clock that starts at that instant, UTC (Debian's `faketime`). */
function startAt(instant: string, folder?: string) {
  return startServer({ prefix: ['faketime', '-f', `@${instant}`], env: { TZ: 'UTC' }, ...(folder ? { folder } : {}) })
}

describe('3 and 8.2 the turn of the month and of the day, UTC', () => {
  test('the month: the allowance is whole again on the first, 00:00 UTC', async () => {
    const before = await startAt('2027-01-31 23:30:00')
    const { token } = await before.key('month@example.com', 'free')
    for (let call = 0; call < 5; call++) await before.call({ token, body: lines(200) })
    expect((await before.call({ token, body: lines(1) })).json).toMatchObject({
      used: 1_000,
      resets: '2027-02-01T00:00:00.000Z',
    })
    await before.stop()
    const after = await startAt('2027-02-01 00:00:01', before.folder)
    expect((await after.call({ token, body: lines(200) })).status).toBe(200)
    await after.stop()
  })

  test('the turn happens under a running server', async () => {
    const server = await startAt('2027-03-31 23:59:50')
    const { token } = await server.key('running@example.com', 'free')
    for (let call = 0; call < 5; call++) await server.call({ token, body: lines(200) })
    expect((await server.call({ token, body: lines(1) })).status).toBe(429)
    let answer = await server.call({ token, body: lines(1) })
    while (answer.status === 429) {
      await new Promise((later) => setTimeout(later, 500))
      answer = await server.call({ token, body: lines(1) })
    }
    expect(answer.status).toBe(200)
    await server.stop()
  })

  test('the day: a keyless budget outlives a restart, is whole on the next day, and yesterday’s hashes are gone', async () => {
    const today = await startAt('2027-05-10 12:00:00')
    expect((await today.call({ body: lines(500) })).status).toBe(200)
    await today.stop()
    const later = await startAt('2027-05-10 13:00:00', today.folder)
    expect((await later.call({ body: lines(1) })).status).toBe(429)
    await later.stop()
    const tomorrow = await startAt('2027-05-11 00:00:05', today.folder)
    expect((await tomorrow.call({ body: lines(500) })).status).toBe(200)
    await tomorrow.stop()
    expect((await bytesOnDisk(today.folder)).toString('latin1')).not.toContain('2027-05-10')
  })
})
