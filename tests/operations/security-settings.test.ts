import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  claim,
  claimToken,
  cookieOf,
  newIdentity,
  sessionEmail,
  signIn,
  signUp,
  visibleParts,
  visit,
} from '../support/person.ts'
import { type RunningServer, startServer } from '../support/server.ts'

describe('settings', () => {
  test('SIGNUP=closed: only the operator creates accounts, and their users can sign in', async () => {
    const server = await startServer({ env: { SIGNUP: 'closed', CONTACT: 'ops@example.com' } })
    const { email, from } = newIdentity()
    const session = await visit(server, '/app/session')
    expect(session.json).toMatchObject({ account: null, signUp: 'closed', contact: 'ops@example.com' })
    expect(visibleParts(await signUp(server, email, { from }))).toMatchObject({
      status: 403,
      text: '{"error":"sign-up closed"}',
    })
    expect((await server.cli('accounts', 'list', '--json')).stdout.trim()).toBe('[]')
    await server.key(email)
    expect(visibleParts(await signUp(server, email, { from }))).toMatchObject({ status: 403 })
    await claim(server, await claimToken(server, email), from)
    expect((await signIn(server, email, { from })).status).toBe(200)
    await server.stop()
  })

  test('LEGAL_URL is in the footer of every page, EVENT_DAYS in the privacy section', async () => {
    const legal = 'https://operator.example/imprint?lang=en'
    const server = await startServer({ env: { LEGAL_URL: legal, EVENT_DAYS: '31' } })
    for (const path of ['/', '/api', '/app/keys', '/about']) expect((await visit(server, path)).text).toContain(legal)
    const about = (await visit(server, '/about')).text
    for (const text of ['Calls with a key', '31 days', 'a keyed hash of the network address'])
      expect(about).toContain(text)
    await server.stop()
  })

  test('with an https public address, cookies are secure, and the site uses HSTS', async () => {
    const server = await startServer({ env: { BASE_URL: 'https://dedupe.example.com' } })
    const { email, from } = newIdentity()
    const headers = { origin: 'https://dedupe.example.com' }
    await signUp(server, email, { from, headers })
    const answer = await signIn(server, email, { from, headers })
    expect(answer.headers['set-cookie']).toMatch(
      /^__Secure-keepfirst\.session_token=.*; HttpOnly; Secure; SameSite=Strict$/,
    )
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d{8}$/)
    expect(await sessionEmail(server, cookieOf(answer))).toBe(email)
    // The address that it listens on is not the one that its pages are served from.
    expect((await signIn(server, email, { from })).status).toBe(403)
    await server.stop()
  })

  test('with the default public address, both loopback names are accepted as origins', async () => {
    const server = await startServer({ env: { BASE_URL: '' } })
    const { email, from } = newIdentity()
    await signUp(server, email, { from })
    for (const name of ['localhost', '127.0.0.1']) {
      const headers = { origin: `http://${name}:${server.port}` }
      expect((await signIn(server, email, { from, headers })).status).toBe(200)
    }
    expect((await signIn(server, email, { from, headers: { origin: `http://[::1]:${server.port}` } })).status).toBe(403)
    await server.stop()
  })

  test('TRUST_PROXY: attempts are counted by the address that the proxy reports', async () => {
    const server = await startServer({ env: { TRUST_PROXY: '127.0.0.1' } })
    // Attempts to sign up count regardless of their content; an empty one is cheap to check.
    const attempt = (client: string) =>
      visit(server, '/app/auth/sign-up/email', { body: {}, headers: { 'x-forwarded-for': client } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt('203.0.113.7')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
    expect((await attempt('203.0.113.7')).status).toBe(429)
    expect((await attempt('198.51.100.1, 203.0.113.7')).status).toBe(429)
    expect((await attempt('203.0.113.8')).status).toBe(400)
    await server.stop()
  })
})

describe('pages', () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())

  test.each(['/', '/api', '/app/keys', '/app/session', '/no/such/page', '/%zz', '/healthz'])(
    '%s has security headers',
    async (path) => {
      const { headers } = await visit(server, path)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
          "font-src 'self'; connect-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('same-origin')
      expect(headers['cross-origin-opener-policy']).toBe('same-origin')
      expect(headers['strict-transport-security']).toBeUndefined()
    },
  )

  test('no other files are served', async () => {
    for (const path of ['/assets/', '/assets/../index.html', '/assets/%2e%2e/%2e%2e/main.js', '/dist/main.js', '/.env'])
      expect([403, 404]).toContain((await visit(server, path)).status)
  })
})
