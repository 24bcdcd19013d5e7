import { expect, test } from 'vitest'
import { memberOf, PASSWORD, sessionEmail, sharedPerson, visibleParts, visit } from '../support/person.ts'
import { describeOnEachStore } from '../support/stores.ts'

describeOnEachStore('requests from other sites', (server) => {
  const origins = [
    { name: 'another origin', headers: { origin: 'https://evil.example' } },
    { name: 'an origin with our address as a prefix', headers: { origin: 'http://127.0.0.1.evil.example' } },
    { name: 'another port of this machine', headers: { origin: 'http://127.0.0.1:1' } },
    { name: 'the null origin of a sandboxed frame', headers: { origin: 'null' } },
    { name: 'our origin with another scheme', headers: { origin: 'https://127.0.0.1' } },
  ]
  const actions = [
    { path: '/app/account/keys', body: { name: 'stolen' } },
    { path: '/app/auth/sign-out', body: {} },
    { path: '/app/auth/sign-in/email', body: { email: 'a@example.com', password: PASSWORD } },
    { path: '/app/auth/sign-up/email', body: { email: 'planted@example.com', password: PASSWORD } },
    { path: '/app/auth/claim', body: { token: 'x', password: PASSWORD } },
  ]

  test.each(origins.flatMap((origin) => actions.map((action) => ({ ...origin, ...action }))))(
    '$name: $path answers 403 and has no effect',
    async ({ headers, path, body }) => {
      const person = await sharedPerson(server())
      const answer = await visit(server(), path, { cookie: person.cookie, body, headers })
      expect(visibleParts(answer)).toEqual({ status: 403, text: '{"error":"foreign origin"}', cookie: undefined })
      expect(await sessionEmail(server(), person.cookie)).toBe(person.email)
      expect(memberOf((await visit(server(), '/app/account/keys', person)).json, 'keys')).toEqual([])
    },
  )

  test('a request with a cookie but without an origin is refused', async () => {
    const { cookie } = await sharedPerson(server())
    const headers = { cookie, 'content-type': 'application/json' }
    const answer = await server().call({ path: '/app/account/keys', body: { name: 'stolen' }, headers })
    expect(answer.status).toBe(403)
  })

  test.each([
    { name: 'a form', type: 'application/x-www-form-urlencoded', body: 'name=stolen' },
    { name: 'a text/plain form that looks like JSON', type: 'text/plain', body: '{"name":"stolen"}' },
    { name: 'a form with files', type: 'multipart/form-data; boundary=x', body: '--x--' },
    { name: 'JSON without a content type', type: '', body: '{"name":"stolen"}' },
  ])('$name is not read', async ({ type, body }) => {
    const { cookie } = await sharedPerson(server())
    const headers = { cookie, origin: server().baseUrl, ...(type === '' ? {} : { 'content-type': type }) }
    expect((await server().call({ path: '/app/account/keys', body, headers })).status).toBe(400)
    expect(memberOf((await visit(server(), '/app/account/keys', { cookie })).json, 'keys')).toEqual([])
  })

  test('other origins cannot read answers', async () => {
    const { cookie } = await sharedPerson(server())
    const { headers } = await visit(server(), '/app/session', { cookie, headers: { origin: 'https://evil.example' } })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    expect(headers['cache-control']).toBe('no-store')
  })
})
