import { describe, expect, test } from 'vitest'
import { describeOnEachStore } from '../support/stores.ts'

const lines = (count: number) => ({ mode: 'lines', data: '\n'.repeat(count - 1) })
/** A lines request with exactly this many bytes. */
const sized = (bytes: number) => `{"mode":"lines","data":"${'a'.repeat(bytes - 26)}"}`
const KB = 1_024
const MB = 1_024 * KB

describeOnEachStore('8 units and limits', (server) => {
  describe('8.1 units', () => {
    test.each([
      { name: 'lines: every line, even dropped ones', body: { ...lines(7), options: { dropEmpty: true } }, units: 7 },
      { name: 'rows: data rows without the header', body: { mode: 'rows', data: 'h\n1\n2\n3' }, units: 3 },
      {
        name: 'rows: all rows without a header',
        body: { mode: 'rows', data: '1\n2', options: { hasHeader: false } },
        units: 2,
      },
      { name: 'rows: empty data costs one', body: { mode: 'rows', data: '' }, units: 1 },
      { name: 'json: items', body: { mode: 'json', data: [1, 1, 1, 2] }, units: 4 },
      { name: 'json: no items cost one', body: { mode: 'json', data: [] }, units: 1 },
      { name: 'exactly one KB is one unit', body: sized(KB), units: 1 },
      { name: 'one byte more than a KB is two units', body: sized(KB + 1), units: 2 },
      {
        name: 'the whole body counts, including white space',
        body: `{"mode":"lines","data":"a"}${' '.repeat(5 * KB)}`,
        units: 6,
      },
    ])('$name → $units', async ({ name, body, units }) => {
      const account = `${name.replace(/\W+/g, '-')}@example.com`
      const { token } = await server().key(account)
      expect((await server().call({ token, body })).status).toBe(200)
      expect(await server().events(account)).toMatchObject([{ units, status: 200 }])
    })
  })

  describe('8.2 plans', () => {
    test.each([
      { plan: 'free' as const, cap: 512 * KB, declared: '512 KB Free plan limit', real: '512 KB plan limit' },
      { plan: 'starter' as const, cap: 5 * MB, declared: '5 MB Starter plan limit', real: '5 MB plan limit' },
      { plan: 'pro' as const, cap: 5 * MB, declared: '5 MB Pro plan limit', real: '5 MB plan limit' },
    ])(
      '$plan: a body of the maximum size passes, one byte more is refused, with a message that depends on its framing',
      async ({ plan, cap, declared, real }) => {
        const { token } = await server().key(`size-${plan}@example.com`, plan)
        const atCap = await server().call({ token, body: sized(cap) })
        expect(plan === 'free' ? atCap.json : atCap.status).toEqual(
          plan === 'free'
            ? {
                error: 'request too large: 512 units, over the 200-unit Free per-request limit',
                units: 512,
                limit: 200,
              }
            : 200,
        )
        expect((await server().call({ token, body: sized(cap + 1) })).json).toEqual({
          error: `payload too large (${declared})`,
        })
        expect((await server().call({ token, body: sized(cap + 1), chunked: true })).json).toEqual({
          error: `payload too large (${real})`,
        })
      },
    )

    test.each([
      {
        plan: 'free' as const,
        rows: 201,
        error: 'request too large: 201 units, over the 200-unit Free per-request limit',
        limit: 200,
      },
      {
        plan: 'starter' as const,
        rows: 50_001,
        error: 'request too large: 50001 units, over the 50000-unit Starter per-request limit',
        limit: 50_000,
      },
      {
        plan: 'pro' as const,
        rows: 50_001,
        error: 'request too large: 50001 units, over the 50000-unit Pro per-request limit',
        limit: 50_000,
      },
    ])('$plan: the unit cap per request', async ({ plan, rows, error, limit }) => {
      const { token } = await server().key(`cap-${plan}@example.com`, plan)
      const refused = await server().call({ token, body: lines(rows) })
      expect(refused).toMatchObject({ status: 413, json: { error, units: rows, limit } })
      expect((await server().call({ token, body: lines(limit) })).status).toBe(200)
    })

    test('keyless: the unit cap per request', async () => {
      expect((await server().call({ from: '127.0.2.2', body: lines(501) })).json).toEqual({
        error: 'request too large: 501 units, over the 500-unit Keyless per-request limit',
        units: 501,
        limit: 500,
      })
    })

    test('the keys of an account share its monthly units', async () => {
      const account = 'month@example.com'
      const one = await server().key(account, 'starter')
      const two = await server().key(account, 'starter')
      await server().call({ token: one.token, body: lines(50_000) })
      await server().call({ token: two.token, body: lines(49_990) })
      const refused = await server().call({ token: one.token, body: lines(11) })
      expect(refused.status).toBe(429)
      expect(refused.headers).not.toHaveProperty('retry-after')
      const now = new Date()
      expect(refused.json).toEqual({
        error: 'monthly unit limit reached',
        limit: 100_000,
        used: 99_990,
        resets: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
      })
      expect((await server().call({ token: two.token, body: lines(10) })).status).toBe(200)
      expect((await server().call({ token: two.token, body: lines(1) })).json).toMatchObject({ used: 100_000 })
    })

    test('3.3 a smaller plan: keys keep working, no new ones can be made, and usage may exceed the limit', async () => {
      const account = 'smaller@example.com'
      const { token } = await server().key(account, 'pro')
      await server().key(account, 'pro')
      await server().call({ token, body: lines(1_500) })
      await server().operator.setPlan(account, 'free')
      expect((await server().call({ token, body: lines(1) })).json).toMatchObject({ limit: 1_000, used: 1_500 })
      expect((await server().cli('keys', 'create', '--account', account)).code).toBe(1)
    })

    test('40 calls at once near the end of an allowance: exactly as many as fit are admitted', async () => {
      const account = 'edge@example.com'
      const { token } = await server().key(account, 'free')
      for (let call = 0; call < 4; call++) await server().call({ token, body: lines(200) })
      const answers = await Promise.all(Array.from({ length: 40 }, () => server().call({ token, body: lines(13) })))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(15) // 200 / 13
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(25)
      const events = await server().events(account)
      expect(events.reduce((units, event) => units + Number(event.units), 0)).toBe(800 + 15 * 13)
    })
  })

  describe('8.3 burst', () => {
    test.each([
      { plan: 'free' as const, requests: 60, windowSeconds: 3_600, description: '60 requests per hour on Free' },
      { plan: 'starter' as const, requests: 60, windowSeconds: 60, description: '60 requests per minute on Starter' },
      { plan: 'pro' as const, requests: 300, windowSeconds: 60, description: '300 requests per minute on Pro' },
    ])('$description', async ({ plan, requests, windowSeconds, description }) => {
      const account = `burst-${plan}@example.com`
      const { token } = await server().key(account, plan)
      const calls = Array.from({ length: requests + 10 }, () => server().call({ token, body: lines(1) }))
      const answers = await Promise.all(calls)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(10)
      for (const { json, headers } of refused) {
        const retryAfter = Number(headers['retry-after'])
        expect(json).toEqual({
          error: `rate limit reached: ${description}`,
          limit: requests,
          windowSeconds,
          retryAfter,
        })
        expect(retryAfter).toBeGreaterThanOrEqual(1)
        expect(retryAfter).toBeLessThanOrEqual(windowSeconds)
      }
      const events = await server().events(account)
      expect(events.reduce((units, event) => units + Number(event.units), 0)).toBe(requests)
    })
  })
})
