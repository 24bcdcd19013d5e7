import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { longFuzzyBody } from '../support/overload.ts'
import { type RunningServer, startServer } from '../support/server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { FUZZY_SECONDS: '1' } })
})
afterAll(() => server.stop())

describe('8.4 the time limit of fuzzy matching', () => {
  test('a request beyond it has its own error, and its units are refunded, even if it is repeated', async () => {
    const { token } = await server.key('hard@example.com')
    const body = longFuzzyBody()
    for (let round = 0; round < 2; round += 1) {
      expect(await server.call({ token, body })).toMatchObject({
        status: 503,
        json: { error: 'fuzzy matching took too long; raise threshold, choose keyColumns or split the file' },
      })
    }
    const events = await server.events('hard@example.com')
    expect(events.map(({ units, status }) => ({ units, status }))).toEqual(Array(2).fill({ units: 0, status: 503 }))
  })
})
