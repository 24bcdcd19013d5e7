import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claim, claimToken, memberOf, PASSWORD, signIn, signUp, visit } from '../support/person.ts'
import { type Answer, type RunningServer, startServer } from '../support/server.ts'

/** Headers of a request that came through the proxy from this client. */
const through = (client: string) => ({ 'x-forwarded-for': client })

describe('guesses at one account from many networks', () => {
  const email = 'owner@example.com'
  const home = '203.0.113.9'
  let server: RunningServer
  let guesses: readonly Answer[]
  beforeAll(async () => {
    server = await startServer({ env: { TRUST_PROXY: '127.0.0.1' } })
    await signUp(server, email, { headers: through(home) })
    await signIn(server, email, { headers: through(home) })
    guesses = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        signIn(server, email, { headers: through(`2001:db8:0:${i.toString(16)}::1`), password: `guess ${i}` }),
      ),
    )
  })
  afterAll(() => server.stop())

  test('are tried a few times, then wait', () => {
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThan(15)
    for (const { status, json } of guesses) {
      if (status === 401) continue
      expect(status).toBe(429)
      expect(memberOf(json, 'retryAfter')).toBeGreaterThan(0)
    }
  })

  test('do not keep out the owner who signed in from home before', async () => {
    expect((await signIn(server, email, { headers: through(home) })).status).toBe(200)
  })

  test('do not lock out the holder of the operator’s link, and after it the account is open from anywhere', async () => {
    const link = await claimToken(server, email)
    expect(
      (
        await visit(server, '/app/auth/claim', {
          body: { token: link, password: 'a new one of mine' },
          headers: through('198.51.100.1'),
        })
      ).status,
    ).toBe(200)
    expect(
      (await signIn(server, email, { headers: through('198.51.100.1'), password: 'a new one of mine' })).status,
    ).toBe(200)
  })
})

describe('people who share one network with somebody who guesses', () => {
  test('can still sign in and use their links, and the log says once what is missing', async () => {
    const server = await startServer() // TRUST_PROXY is not set: all come from one address
    const headers = through('203.0.113.1')
    await signUp(server, 'owner@example.com', { headers })
    for (let i = 0; i < 40; i++) await signIn(server, 'victim@example.com', { headers, password: 'guess' })
    for (let i = 0; i < 20; i++) await signIn(server, `victim${i}@example.com`, { headers, password: 'guess' })
    expect((await signIn(server, 'owner@example.com', { headers })).status).toBe(200)
    expect(
      (await claim(server, await claimToken(server, 'owner@example.com'), '127.0.0.1', 'another password')).status,
    ).toBe(200)
    const warnings = (await server.log()).split('\n').filter((line) => line.includes('TRUST_PROXY'))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('"level":40')
    expect(warnings[0]).not.toContain('203.0.113.1')
    await server.stop()
  })
})

describe('a password that guessers try first', () => {
  test.each([
    { name: 'a common one', password: 'password', expected: { status: 400, json: { error: 'common password' } } },
    {
      name: 'its own address',
      password: 'Self@Example.com',
      expected: { status: 400, json: { error: 'common password' } },
    },
    {
      name: 'a short one',
      password: 'v8$Qm2!',
      expected: { status: 400, json: { error: 'invalid input', field: 'password' } },
    },
    { name: 'another one', password: PASSWORD, expected: { status: 200 } },
  ])('$name', async ({ password, expected }) => {
    const server = await shared()
    expect(await signUp(server, 'self@example.com', { password })).toMatchObject(expected)
  })
})

let started: Promise<RunningServer> | undefined
const shared = () => (started ??= startServer())
afterAll(async () => (await started)?.stop())
