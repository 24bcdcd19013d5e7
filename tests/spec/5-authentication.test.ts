import { describe, expect, test } from 'vitest'
import { bytesOnDisk, type CallOptions } from '../support/server.ts'
import { describeOnEachStore } from '../support/stores.ts'

const BODY = { mode: 'lines', data: 'a' }
const UNKNOWN = `kf_live_${'0'.repeat(64)}`

describeOnEachStore('5 authentication', (server) => {
  describe('5.1 to 5.4 how a key is sent, and whether it is accepted', () => {
    test.each<{ name: string; headers: (token: string) => Record<string, string>; status: number }>([
      { name: 'Bearer', headers: (token) => ({ Authorization: `Bearer ${token}` }), status: 200 },
      { name: 'the scheme in any case', headers: (token) => ({ Authorization: `bEARER ${token}` }), status: 200 },
      { name: 'spaces around the token', headers: (token) => ({ Authorization: `Bearer   ${token} ` }), status: 200 },
      { name: 'x-api-key', headers: (token) => ({ 'x-api-key': token }), status: 200 },
      {
        name: 'another scheme: x-api-key is used',
        headers: (token) => ({ Authorization: 'Basic abc', 'x-api-key': token }),
        status: 200,
      },
      {
        name: 'an empty Authorization: x-api-key is used',
        headers: (token) => ({ Authorization: '', 'x-api-key': token }),
        status: 200,
      },
      { name: 'another scheme alone is keyless', headers: () => ({ Authorization: 'Basic abc' }), status: 200 },
      { name: 'no header is keyless', headers: () => ({}), status: 200 },
      {
        name: 'Authorization is read first: an invalid Bearer token and a valid x-api-key',
        headers: (token) => ({ Authorization: 'Bearer bad', 'x-api-key': token }),
        status: 401,
      },
      { name: 'Bearer without a token', headers: () => ({ Authorization: 'Bearer' }), status: 401 },
      { name: 'Bearer with spaces instead of a token', headers: () => ({ Authorization: 'Bearer   ' }), status: 401 },
      {
        name: 'Bearer without a token, and a valid x-api-key',
        headers: (token) => ({ Authorization: 'Bearer', 'x-api-key': token }),
        status: 401,
      },
      { name: 'an empty x-api-key', headers: () => ({ 'x-api-key': '' }), status: 401 },
      { name: 'an unknown key', headers: () => ({ Authorization: `Bearer ${UNKNOWN}` }), status: 401 },
      { name: 'a key in capitals', headers: (token) => ({ 'x-api-key': token.toUpperCase() }), status: 401 },
      { name: 'a key with an additional digit', headers: (token) => ({ 'x-api-key': `${token}0` }), status: 401 },
      { name: 'two keys in one header', headers: (token) => ({ 'x-api-key': `${token}, ${token}` }), status: 401 },
      { name: 'a hash instead of a key', headers: () => ({ 'x-api-key': 'f'.repeat(64) }), status: 401 },
    ])('$name → $status', async ({ headers, status }) => {
      const { token } = await server().key('auth@example.com')
      const answer = await server().call({ headers: headers(token), body: BODY })
      expect(answer.status).toBe(status)
      if (status === 401) expect(answer.json).toEqual({ error: 'invalid api key' })
    })

    test('2.5 the format of a token', async () => {
      const one = await server().key('shape@example.com')
      const two = await server().key('shape@example.com')
      expect(one.token).toMatch(/^kf_live_[0-9a-f]{64}$/)
      expect(one.prefix).toBe(one.token.slice(0, 12))
      expect(two.token).not.toBe(one.token)
    })

    test('3.1 a revoked key gets 401 from the next request on, permanently', async () => {
      const { id, token } = await server().key('revoked@example.com')
      expect((await server().call({ token, body: BODY })).status).toBe(200)
      expect((await server().cli('keys', 'revoke', id)).code).toBe(0)
      expect((await server().call({ token, body: BODY })).status).toBe(401)
      expect((await server().cli('keys', 'revoke', id)).code).toBe(0)
      expect((await server().call({ token, body: BODY })).status).toBe(401)
    })

    test.each([
      { plan: 'free' as const, keys: 1 },
      { plan: 'starter' as const, keys: 3 },
    ])('5.5 $plan: at most $keys active, and revoking one makes room for another', async ({ plan, keys }) => {
      const account = `keys-${plan}@example.com`
      const made = []
      for (let key = 0; key < keys; key++) made.push(await server().key(account, plan))
      const refused = await server().cli('keys', 'create', '--account', account)
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toContain(`${keys} active key`)
      await server().cli('keys', 'revoke', String(made[0]?.id))
      expect((await server().cli('keys', 'create', '--account', account)).code).toBe(0)
    })

    test('5.6 neither tokens nor payloads are on disk or in the log', async () => {
      const { token } = await server().key('secrets@example.com')
      await server().call({ token, body: { mode: 'rows', data: 'h\ncanary-41c7\ncanary-41c7' } })
      await server().call({ token: `${token}x`, body: '{"mode":"lines","data":"canary-41c7' })
      await server().events('secrets@example.com')
      const left = `${await bytesOnDisk(server().folder)}${await server().log()}`
      expect(left).not.toContain(token.slice(-40))
      expect(left).not.toContain('canary-41c7')
    })
  })

  describe('5.7 keyless callers are distinguished by network address', () => {
    const spend = (options: CallOptions) =>
      server().call({ body: { mode: 'lines', data: '\n'.repeat(499) }, ...options })

    test('each address has its own daily allowance; a key works at once', async () => {
      expect((await spend({ from: '127.0.1.1' })).status).toBe(200)
      const refused = await spend({ from: '127.0.1.1' })
      expect(refused.status).toBe(429)
      expect(refused.headers).not.toHaveProperty('retry-after')
      expect(refused.json).toEqual({
        error: `keyless daily unit limit reached — create a free API key at ${server().baseUrl}/app/keys`,
        limit: 500,
        units: 500,
      })
      expect((await spend({ from: '127.0.1.2' })).status).toBe(200)
      const { token } = await server().key('keyless@example.com')
      expect((await spend({ from: '127.0.1.1', token })).status).toBe(200)
    })

    test('X-Forwarded-For is not trusted by default', async () => {
      expect((await spend({ from: '127.0.1.3' })).status).toBe(200)
      expect((await spend({ from: '127.0.1.3', headers: { 'X-Forwarded-For': '198.51.100.7' } })).status).toBe(429)
    })

    test('no network address is on disk or in the log', async () => {
      expect(`${await bytesOnDisk(server().folder)}${await server().log()}`).not.toContain('127.0.1.')
    })
  })
})
