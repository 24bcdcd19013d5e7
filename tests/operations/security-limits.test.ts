import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../packages/service/dist/store/open.js'
import {
  claim,
  claimToken,
  cookieOf,
  memberOf,
  newPerson,
  sharedPerson,
  signIn,
  signUp,
  textOf,
  visit,
} from '../support/person.ts'
import { AUTH_SECRET, bytesOnDisk, type RunningServer, startServer } from '../support/server.ts'

describe('attempts', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer({ hasRealPasswords: true })
  })
  afterAll(() => server.stop())

  test('of a thousand guesses at one account from one network, only a few are checked, whatever their headers', async () => {
    const person = await newPerson(server)
    const statuses = new Map<number, number>()
    for (let round = 0; round < 10; round++) {
      const attempts = Array.from({ length: 100 }, async (_, i) => {
        const forged = `10.${round}.${i}.1`
        const answer = await fetch(`${server.baseUrl}/app/auth/sign-in/email`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': forged,
            forwarded: `for=${forged}`,
            'x-real-ip': forged,
            'cf-connecting-ip': forged,
          },
          body: JSON.stringify({ email: person.email, password: `guess ${round} ${i}` }),
        })
        await answer.arrayBuffer()
        return answer.status
      })
      for (const status of await Promise.all(attempts)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect([...statuses.keys()].sort()).toEqual([401, 429])
    // Five at once, then one more after each wait of 1, 2, 4, 8 … seconds: twenty would take more than a day.
    expect(statuses.get(401)).toBeLessThan(20)

    const late = await signIn(server, person.email)
    expect(memberOf(late.json, 'error')).toBe('too many attempts')
    expect(memberOf(late.json, 'retryAfter')).toBeGreaterThan(0)
    expect((await signIn(server, person.email, { from: person.from })).status).toBe(200)
  }, 600_000)

  test('of a hundred sign-ups from one network, twenty are processed', async () => {
    const from = '127.66.0.2'
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => signUp(server, `many${i}@example.com`, { from })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(80)
  })

  test('guesses at a one-time link are also counted, but never lock out its holder', async () => {
    const from = '127.66.0.3'
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => claim(server, `guess${i}`, from)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410, 429]))
    await server.key('owner@example.com')
    expect((await claim(server, await claimToken(server, 'owner@example.com'), from)).status).toBe(200)
  })

  test('a flood from one network does not delay others', async () => {
    const person = await newPerson(server)
    const from = '127.66.0.4'
    let isOver = false
    const flood = Promise.all([
      ...Array.from({ length: 60 }, (_, i) => signIn(server, `flood${i}@example.com`, { from, password: 'guess' })),
      ...Array.from({ length: 20 }, (_, i) => signUp(server, `flood${i}@example.net`, { from })),
    ]).finally(() => {
      isOver = true
    })
    for (let round = 0; round < 3; round++) {
      expect((await signIn(server, person.email, { from: person.from })).status).toBe(200)
    }
    expect(isOver).toBe(false)
    const statuses = new Set((await flood).map(({ status }) => status))
    expect(statuses.has(503)).toBe(true)
  })

  test('attempts from many networks are processed a few at a time, and the API stays available', async () => {
    const attempts = Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        signIn(server, `nobody${i}@example.com`, { from: `127.67.${i}.1`, password: 'guess' }),
      ),
    )
    expect((await server.call({ body: { mode: 'lines', data: 'a\na' } })).status).toBe(200)
    expect(new Set((await attempts).map(({ status }) => status))).toEqual(new Set([401]))
  })
})

describe('better-auth', () => {
  let server: RunningServer
  beforeAll(async () => {
    // Each of these would change the behaviour of better-auth if the server did not override it.
    const env = {
      NODE_ENV: 'test',
      TEST: '1',
      BETTER_AUTH_TELEMETRY: '1',
      BETTER_AUTH_TRUSTED_ORIGINS: 'https://evil.example',
      BETTER_AUTH_URL: 'https://evil.example',
    }
    server = await startServer({ env })
  })
  afterAll(() => server.stop())

  test.each([
    'get-session',
    'list-sessions',
    'update-user',
    'delete-user',
    'change-email',
    'change-password',
    'set-password',
    'request-password-reset',
    'reset-password',
    'verify-email',
    'send-verification-email',
    'sign-in/social',
    'link-social',
    'list-accounts',
    'revoke-sessions',
    'error',
    'ok',
  ])('its route %s is not available', async (route) => {
    const { cookie } = await sharedPerson(server)
    for (const body of [undefined, {}])
      expect((await visit(server, `/app/auth/${route}`, { cookie, body })).status).toBe(404)
  })

  test('its environment variables have no effect', async () => {
    const { cookie } = await sharedPerson(server)
    const headers = { origin: 'https://evil.example' }
    expect((await visit(server, '/app/auth/sign-out', { cookie, body: {}, headers })).status).toBe(403)
  })
})

describe('stored and logged data', () => {
  test('no passwords, network addresses or user agents; only hashes of tokens, sessions and links', async () => {
    const server = await startServer({ env: { LOG_LEVEL: 'trace' }, hasRealPasswords: true })
    const headers = { 'user-agent': 'RecognisableBrowser/7' }
    const from = '127.77.78.79'
    const email = 'private-person@example.com'
    const password = 'a password to be found'
    await signUp(server, email, { from, headers, password })
    await signUp(server, email, { from, headers, password })
    await signIn(server, email, { from, headers, password: 'another to be found' })
    const cookie = cookieOf(await signIn(server, email, { from, headers, password }))
    const created = await visit(server, '/app/account/keys', { cookie, body: { name: 'k' }, from, headers })
    const link = await claimToken(server, email)
    await server.stop()

    const disk = await bytesOnDisk(server.folder)
    const log = await server.log()
    for (const secret of [
      password,
      'another to be found',
      from,
      headers['user-agent'],
      textOf(created.json, 'token'),
      link,
      sessionToken(cookie),
    ]) {
      expect(disk.includes(secret)).toBe(false)
      expect(log).not.toContain(secret)
    }
    expect(log).not.toContain(email)
    expect(log).not.toContain(cookie.split('=')[1])
  })

  test('a copy of the database does not reveal network addresses, because the key of their hashes is not in it', async () => {
    const server = await startServer()
    expect((await server.call({ body: { mode: 'lines', data: 'a' } })).status).toBe(200)
    const { reports, store } = await openDatabase(server.databaseUrl, randomBytes)
    const { client } = await reports.selectFrom('keyless_days').select('client').executeTakeFirstOrThrow()
    await store.close()
    await server.stop()

    const key = Buffer.from(hkdfSync('sha256', AUTH_SECRET, '', 'keepfirst network addresses', 32))
    expect(client).toBe(createHmac('sha256', key).update('127.0.0.1').digest('hex'))
    const disk = await bytesOnDisk(server.folder)
    for (const secret of [AUTH_SECRET, key, key.toString('hex'), key.toString('base64')])
      expect(disk.includes(secret)).toBe(false)
  })
})

/** The session token in a cookie, without its signature. */
function sessionToken(cookie: string): string {
  const [token = ''] = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')
  if (token.length < 32) throw new Error(`no token in ${cookie}`)
  return token
}
