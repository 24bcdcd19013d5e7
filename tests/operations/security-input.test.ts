import { describe, expect, test } from 'vitest'
import {
  cookieOf,
  memberOf,
  newIdentity,
  newPerson,
  PASSWORD,
  sharedPerson,
  signIn,
  textOf,
  visibleParts,
  visit,
} from '../support/person.ts'
import { describeOnEachStore } from '../support/stores.ts'

describeOnEachStore('user input', (server) => {
  describe("another account's key", () => {
    test('cannot be seen or revoked', async () => {
      const owner = await newPerson(server())
      const created = await visit(server(), '/app/account/keys', { cookie: owner.cookie, body: { name: 'mine' } })
      const id = textOf(memberOf(created.json, 'key'), 'id')
      const token = textOf(created.json, 'token')

      const other = await newPerson(server())
      const stolen = await visit(server(), `/app/account/keys/${id}/revoke`, { cookie: other.cookie, body: {} })
      const missing = await visit(server(), '/app/account/keys/0000000000000000/revoke', {
        cookie: other.cookie,
        body: {},
      })
      expect(visibleParts(stolen)).toEqual({ status: 404, text: '{"error":"not found"}', cookie: undefined })
      expect(visibleParts(missing)).toEqual(visibleParts(stolen))

      const call = await server().call({ token, body: { mode: 'lines', data: 'a\na' } })
      expect(call.status).toBe(200)
      for (const path of ['/app/account/keys', '/app/account/calls', '/app/account/usage'])
        expect((await visit(server(), path, { cookie: other.cookie })).text).not.toContain(id)
      expect(memberOf((await visit(server(), '/app/account/calls', { cookie: other.cookie })).json, 'calls')).toEqual(
        [],
      )
    })

    test('one’s own key is revoked at once and permanently', async () => {
      const { cookie } = await newPerson(server())
      const created = await visit(server(), '/app/account/keys', { cookie, body: { name: 'mine' } })
      const token = textOf(created.json, 'token')
      const id = textOf(memberOf(created.json, 'key'), 'id')
      expect((await server().call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(200)
      expect((await visit(server(), `/app/account/keys/${id}/revoke`, { cookie, body: {} })).status).toBe(200)
      expect((await server().call({ token, body: { mode: 'lines', data: 'a' } })).status).toBe(401)
      const { text } = await visit(server(), '/app/account/keys', { cookie })
      expect(text).not.toContain(token)
    })

    test('no more keys can be created than the plan allows', async () => {
      const { cookie } = await newPerson(server())
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => visit(server(), '/app/account/keys', { cookie, body: { name: 'one' } })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
    })
  })

  describe('form fields', () => {
    const email = 'bounds@example.com'
    test.each([
      {
        name: 'an address of 255 characters',
        path: '/app/auth/sign-up/email',
        body: { email: `${'a'.repeat(243)}@example.com`, password: PASSWORD },
      },
      { name: 'an invalid address', path: '/app/auth/sign-up/email', body: { email: 'nobody', password: PASSWORD } },
      {
        name: 'an address without a top-level domain',
        path: '/app/auth/sign-up/email',
        body: { email: 'boss@intranet', password: PASSWORD },
      },
      {
        name: 'an invalid address at sign-in',
        path: '/app/auth/sign-in/email',
        body: { email: 'nobody', password: PASSWORD },
      },
      {
        name: 'an address with two @ at sign-in',
        path: '/app/auth/sign-in/email',
        body: { email: 'a@b@example.com', password: PASSWORD },
      },
      {
        name: 'an address of 255 characters at sign-in',
        path: '/app/auth/sign-in/email',
        body: { email: `${'a'.repeat(243)}@example.com`, password: PASSWORD },
      },
      { name: 'a password of 7 characters', path: '/app/auth/sign-up/email', body: { email, password: '1234567' } },
      {
        name: 'a password of 129 characters',
        path: '/app/auth/sign-up/email',
        body: { email, password: 'x'.repeat(129) },
      },
      {
        name: 'a password that is not text',
        path: '/app/auth/sign-in/email',
        body: { email, password: { $ne: null } },
      },
      {
        name: 'a password of 129 characters at sign-in',
        path: '/app/auth/sign-in/email',
        body: { email, password: 'x'.repeat(129) },
      },
      { name: 'a list of addresses', path: '/app/auth/sign-in/email', body: { email: [email], password: PASSWORD } },
      {
        name: 'a claim token of 101 characters',
        path: '/app/auth/claim',
        body: { token: 'x'.repeat(101), password: PASSWORD },
      },
      {
        name: 'a body of more than 8 KB',
        path: '/app/auth/sign-in/email',
        body: { email, password: 'x'.repeat(9_000) },
      },
      { name: 'invalid JSON', path: '/app/auth/sign-in/email', body: '{"email":' },
      { name: 'a member named __proto__', path: '/app/auth/sign-in/email', body: '{"__proto__":{"x":1}}' },
      { name: 'a key without a name', path: '/app/account/keys', body: { name: ' ' } },
      { name: "a key's name of 101 characters", path: '/app/account/keys', body: { name: 'x'.repeat(101) } },
      { name: "a key's name with a line break", path: '/app/account/keys', body: { name: 'a\nb' } },
      { name: "a key's name with a null character", path: '/app/account/keys', body: { name: 'a\u0000b' } },
      { name: "a key's name that is a lone surrogate", path: '/app/account/keys', body: '{"name":"\\ud800"}' },
      { name: "a key's name that is a number", path: '/app/account/keys', body: { name: 1 } },
    ])('$name: 400', async ({ path, body }) => {
      const { cookie } = await sharedPerson(server())
      const answer = await visit(server(), path, { cookie, body, from: '127.9.9.9' })
      expect(answer.status).toBe(400)
      expect(textOf(answer.json, 'error')).toBe('invalid input')
      expect(memberOf((await visit(server(), '/app/account/keys', { cookie })).json, 'keys')).toEqual([])
    })

    test.each(['2026-13', '2026-1', 'x', '2026-01-01', "2026-01' or 1=1"])('the month %s: 400', async (month) => {
      const { cookie } = await sharedPerson(server())
      for (const path of ['usage', 'calls', 'calls.csv']) {
        const answer = await visit(server(), `/app/account/${path}?month=${encodeURIComponent(month)}`, { cookie })
        expect(answer.status).toBe(400)
      }
    })

    test.each([
      { name: '<script>alert(1)</script>', cell: '<script>alert(1)</script>' },
      { name: '=HYPERLINK("http://evil.example","see")', cell: `"'=HYPERLINK(""http://evil.example"",""see"")"` },
      { name: '+1', cell: "'+1" },
      { name: '-2+3', cell: "'-2+3" },
      { name: '@sum', cell: "'@sum" },
      { name: 'a, b', cell: '"a, b"' },
    ])('a key named $name is plain text in JSON, and not a formula in a spreadsheet', async ({ name, cell }) => {
      const { cookie } = await newPerson(server())
      const created = await visit(server(), '/app/account/keys', { cookie, body: { name } })
      await server().call({ token: textOf(created.json, 'token'), body: { mode: 'lines', data: 'a' } })
      const keys = await visit(server(), '/app/account/keys', { cookie })
      expect(keys.json).toMatchObject({ keys: [{ name }] })
      expect(keys.headers['content-type']).toMatch(/^application\/json/)
      const file = await visit(server(), '/app/account/calls.csv', { cookie })
      expect(file.headers['content-disposition']).toMatch(/^attachment/)
      expect(file.text.split('\r\n')[1]).toContain(`,${cell},`)
    })

    test('unknown members of a sign-up are ignored', async () => {
      const victim = await newPerson(server())
      const { email, from } = newIdentity()
      const body = { email, password: PASSWORD, accountId: 'x', emailVerified: true, id: 'x', plan: 'pro', victim }
      expect((await visit(server(), '/app/auth/sign-up/email', { body, from })).status).toBe(200)
      const cookie = cookieOf(await signIn(server(), email, { from }))
      expect(memberOf((await visit(server(), '/app/session', { cookie })).json, 'account')).toMatchObject({
        email,
        plan: 'free',
      })
    })
  })
})
