import { describe, expect, test } from 'vitest'
import { describeOnEachStore } from '../support/stores.ts'

const FUZZY = { mode: 'rows', data: 'h\nx', options: { fuzzy: true } }
const OVER_FREE_UNITS = { mode: 'lines', data: '\n'.repeat(300) }
const OVER_FREE_BYTES = 'x'.repeat(512 * 1_024 + 1)

describeOnEachStore('4.1 the order of checks', (server) => {
  describe('4.1 the first failing check is returned', () => {
    test('401 comes before 413: an unknown key with an oversized body', async () => {
      const answer = await server().call({ token: 'nonsense', body: 'x'.repeat(6 * 1_024 * 1_024) })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({ error: 'invalid api key' })
    })

    test('413 of the declared size comes before 400', async () => {
      const { token } = await server().key('order-size@example.com', 'free')
      expect((await server().call({ token, body: OVER_FREE_BYTES })).status).toBe(413)
    })

    test('400 comes before 403: a keyless fuzzy request with a bad threshold', async () => {
      const body = { ...FUZZY, options: { fuzzy: true, threshold: 2 } }
      expect((await server().call({ body })).status).toBe(400)
    })

    test('403 comes before the unit cap: a keyless fuzzy request that costs too much', async () => {
      const body = { mode: 'rows', data: 'x\n'.repeat(700), options: { fuzzy: true } }
      const answer = await server().call({ body })
      expect(answer.status).toBe(403)
      expect(answer.json).toEqual({
        error: `fuzzy matching requires an API key — create a free key at ${server().baseUrl}/app/keys`,
      })
    })

    test('the fuzzy row cap comes before the unit cap', async () => {
      const { token } = await server().key('order-rows@example.com', 'free')
      const body = { mode: 'rows', data: 'x\n'.repeat(50_002), options: { fuzzy: true } }
      expect((await server().call({ token, body })).json).toEqual({
        error: 'fuzzy matching is capped at 50,000 rows per request (got 50001); split the file or use exact matching',
      })
    })

    test('the unit cap comes before the monthly quota and costs nothing', async () => {
      const { token } = await server().key('order-month@example.com', 'free')
      for (let call = 0; call < 5; call++) {
        expect((await server().call({ token, body: { mode: 'lines', data: '\n'.repeat(199) } })).status).toBe(200)
      }
      expect((await server().call({ token, body: OVER_FREE_UNITS })).status).toBe(413)
      expect((await server().call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(429)
    })

    test('the monthly quota comes before the burst limit', async () => {
      const { token } = await server().key('order-burst@example.com', 'free')
      for (let call = 0; call < 5; call++)
        await server().call({ token, body: { mode: 'lines', data: '\n'.repeat(199) } })
      const spent = await server().call({ token, body: { mode: 'lines', data: 'a' } })
      expect(spent.json).toMatchObject({ error: 'monthly unit limit reached', limit: 1_000, used: 1_000 })
    })
  })

  describe('4.1 a refused request costs nothing', () => {
    test.each([
      { name: '400', body: '{', status: 400 },
      { name: '413 by units', body: OVER_FREE_UNITS, status: 413 },
      { name: '413 by bytes', body: OVER_FREE_BYTES, status: 413 },
    ])('$name costs no units and is not counted in the burst window', async ({ name, body, status }) => {
      const account = `nothing-${name.replace(/\W/g, '-')}@example.com`
      const { token } = await server().key(account, 'free')
      for (let call = 0; call < 61; call++) expect((await server().call({ token, body })).status).toBe(status)
      expect((await server().call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(200)
      const events = await server().events(account)
      expect(events.reduce((units, event) => units + Number(event.units), 0)).toBe(1)
    })
  })
})
