import { refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../support/server.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { FUZZY_SECONDS: '1' } })
})
afterAll(() => server.stop())

/** Rows of which no pair can be skipped at the lowest threshold: the longest work that a request can cause. */
function hardRows(count: number): string {
  let state = 1
  const letter = () => {
    state = (state * 48_271) % 0x7fff_ffff
    return String.fromCharCode(97 + (state % 26))
  }
  return Array.from({ length: count }, () => Array.from({ length: 40 }, letter).join('')).join('\n')
}

describe('8.4 the time limit of fuzzy matching', () => {
  test('a request beyond it has its own error, and its units are refunded', async () => {
    const { token } = await server.key('hard@example.com')
    const options = { fuzzy: true, threshold: 0.5, hasHeader: false }
    const answer = await server.call({ token, body: { mode: 'rows', data: hardRows(50_000), options } })
    expect(answer).toMatchObject({ status: 503, json: refuse.fuzzyTooLong().body })
    expect(await server.events('hard@example.com')).toMatchObject([{ status: 503, units: 0 }])
  })
})
