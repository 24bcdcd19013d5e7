import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claim, claimToken, memberOf, PASSWORD, signIn, signUp, visit } from '../support/person.ts'
import { type Answer, type RunningServer, startServer } from '../support/server.ts'

/** Headers of a request that the proxy forwards for this client. */
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

  test('are checked a few times, then have to wait', () => {
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThan(15)
    for (const { status, json } of guesses) {
      if (status === 401) continue
      expect(status).toBe(429)
      expect(memberOf(json, 'retryAfter')).toBeGreaterThan(0)
    }
  })

  test('do not lock out an owner who has signed in from their network before', async () => {
    expect((await signIn(server, email, { headers: through(home) })).status).toBe(200)
  })

  test('do not lock out the holder of a link from the operator; using it ends the waits for all networks', async () => {
    const link = await claimToken(server, email)
    expect(
      (
        await visit(server, '/app/auth/claim', {
          body: { token: link, password: 'my new password' },
          headers: through('198.51.100.1'),
        })
      ).status,
    ).toBe(200)
    expect(
      (await signIn(server, email, { headers: through('198.51.100.1'), password: 'my new password' })).status,
    ).toBe(200)
  })
})

describe('users in the same network as somebody who guesses passwords', () => {
  test('can still sign in and use their links, and the log warns once about TRUST_PROXY', async () => {
    const server = await startServer() // without TRUST_PROXY, all come from one address
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

describe('passwords that are easy to guess', () => {
  test.each([
    {
      name: 'a common password: refused',
      password: 'password',
      expected: { status: 400, json: { error: 'common password' } },
    },
    {
      name: 'the address of the account: refused',
      password: 'Self@Example.com',
      expected: { status: 400, json: { error: 'common password' } },
    },
    {
      name: 'a short password: refused',
      password: 'v8$Qm2!',
      expected: { status: 400, json: { error: 'invalid input', field: 'password' } },
    },
    { name: 'another password: accepted', password: PASSWORD, expected: { status: 200 } },
  ])('$name', async ({ password, expected }) => {
    const server = await sharedServer()
    expect(await signUp(server, 'self@example.com', { password })).toMatchObject(expected)
  })
})

let started: Promise<RunningServer> | undefined
const sharedServer = () => (started ??= startServer())
afterAll(async () => (await started)?.stop())
