import { describe, expect, test } from 'vitest'
import {
  cookieOf,
  newIdentity,
  newPerson,
  sessionEmail,
  signIn,
  signUp,
  visibleParts,
  visit,
} from '../support/person.ts'
import { describeOnEachStore } from '../support/stores.ts'

describeOnEachStore('user sessions', (server) => {
  describe('a session', () => {
    test('is a cookie that is hidden from scripts, and not sent from other sites or to the API', async () => {
      const { email, from } = newIdentity()
      await signUp(server(), email, { from })
      const answer = await signIn(server(), email, { from })
      const cookie = answer.headers['set-cookie']
      expect(cookie).toMatch(/^keepfirst\.session_token=[^;]+; Max-Age=604800; Path=\/app; HttpOnly; SameSite=Strict$/)
      expect(answer.text).toBe('{}')
    })

    test.each(['/', '/api', '/app/keys', '/app/session', '/api/openapi.json'])('%s sets no cookie', async (path) => {
      expect((await visit(server(), path)).headers['set-cookie']).toBeUndefined()
    })

    test('is new after every sign-in; existing cookies of a client are not reused', async () => {
      const { email, from } = newIdentity()
      await signUp(server(), email, { from })
      const planted = 'keepfirst.session_token=planted.cGxhbnRlZA'
      const cookie = cookieOf(await signIn(server(), email, { from, cookie: planted }))
      expect(cookie).not.toContain('planted')
      expect(await sessionEmail(server(), planted)).toBeNull()
      const again = cookieOf(await signIn(server(), email, { from, cookie }))
      expect(again).not.toBe(cookie)
    })

    test('ends at sign-out, also for copies of its cookie', async () => {
      const { cookie } = await newPerson(server())
      await visit(server(), '/app/auth/sign-out', { cookie, body: {} })
      expect(await sessionEmail(server(), cookie)).toBeNull()
      expect((await visit(server(), '/app/account/keys', { cookie })).status).toBe(401)
    })

    test.each([
      { name: 'another token with the same signature', forge: (cookie: string) => cookie.replace(/=.{6}/, '=AAAAAA') },
      { name: 'no signature', forge: (cookie: string) => cookie.replace(/\..*$/s, '') },
      { name: 'a truncated signature', forge: (cookie: string) => cookie.slice(0, -8) },
      { name: 'an empty cookie', forge: () => 'keepfirst.session_token=' },
      { name: 'a very long cookie', forge: () => `keepfirst.session_token=${'A'.repeat(8_000)}` },
    ])('$name is refused', async ({ forge }) => {
      const { cookie } = await newPerson(server())
      const forged = forge(cookie.replace(/^keepfirst\.session_token/, 'keepfirst_session_token')).replace(
        /^keepfirst_session_token/,
        'keepfirst.session_token',
      )
      expect(forged).not.toBe(cookie)
      expect((await visit(server(), '/app/account/keys', { cookie: forged })).status).toBe(401)
    })

    test.each(['/app/account/keys', '/app/account/usage', '/app/account/calls', '/app/account/calls.csv'])(
      '%s requires a session',
      async (path) => {
        expect((await visit(server(), path)).status).toBe(401)
      },
    )
  })

  describe('signing in', () => {
    test('does not reveal whether an address has an account', async () => {
      const person = await newPerson(server())
      const { email, from } = newIdentity()
      const wrong = await signIn(server(), person.email, { from, password: 'not this one' })
      const unknown = await signIn(server(), email, { from, password: 'not this one' })
      expect(visibleParts(wrong)).toEqual({ status: 401, text: '{"error":"wrong credentials"}', cookie: undefined })
      expect(visibleParts(unknown)).toEqual(visibleParts(wrong))
    })

    test('ignores the case of the address', async () => {
      const { email } = await newPerson(server())
      expect((await signIn(server(), email.toUpperCase(), newIdentity())).status).toBe(200)
    })
  })
})
