import { describe, expect, test } from 'vitest'
import {
  claim,
  claimToken,
  memberOf,
  newIdentity,
  newPerson,
  PASSWORD,
  sessionEmail,
  signIn,
  textOf,
  visit,
} from '../support/person.ts'
import type { RunningServer } from '../support/server.ts'
import { describeOnEachStore } from '../support/stores.ts'

const LINES = { mode: 'lines', data: 'a\na' }

async function createKey(server: RunningServer, cookie: string): Promise<string> {
  return textOf((await visit(server, '/app/account/keys', { cookie, body: { name: 'production' } })).json, 'token')
}

describeOnEachStore('claims of accounts', (server) => {
  describe('an account that somebody else signed up for with its owner’s address', () => {
    test('belongs only to the owner after the claim: no earlier session, password or key works', async () => {
      const intruder = await newPerson(server())
      const token = await createKey(server(), intruder.cookie)
      const operatorKey = await server().key(intruder.email, 'pro')
      expect((await server().call({ token, body: LINES })).status).toBe(200)

      const { from } = newIdentity()
      expect(
        (await claim(server(), await claimToken(server(), intruder.email), from, 'password of the owner')).status,
      ).toBe(200)

      expect((await server().call({ token, body: LINES })).status).toBe(401)
      expect(await sessionEmail(server(), intruder.cookie)).toBeNull()
      expect(
        (await visit(server(), '/app/account/keys', { cookie: intruder.cookie, body: { name: 'x' } })).status,
      ).toBe(401)
      expect((await signIn(server(), intruder.email, { from: intruder.from })).status).toBe(401)
      expect((await server().call({ token: operatorKey.token, body: LINES })).status).toBe(200)
      expect((await signIn(server(), intruder.email, { from, password: 'password of the owner' })).status).toBe(200)
    })

    test('is pointed out to an operator who assigns a plan or creates a key', async () => {
      const { email, cookie } = await newPerson(server())
      await createKey(server(), cookie)
      const state = 'made by sign-up, address not verified, 1 key'
      expect((await server().cli('accounts', 'set-plan', email, 'pro')).stdout).toContain(state)
      expect((await server().cli('keys', 'create', '--account', email)).stdout).toContain(state)
      await claim(server(), await claimToken(server(), email), newIdentity().from)
      const after = (await server().cli('accounts', 'set-plan', email, 'starter')).stdout
      expect(after).toContain('claimed by its owner, 1 key')
      expect(after).not.toContain('not verified')
    })

    test('shows on its page whether it has been claimed by its owner', async () => {
      const { email, cookie } = await newPerson(server())
      const verified = async (of: string) =>
        memberOf(memberOf((await visit(server(), '/app/session', { cookie: of })).json, 'account'), 'verified')
      expect(await verified(cookie)).toBe(false)
      const { from } = newIdentity()
      await claim(server(), await claimToken(server(), email), from)
      const answer = await signIn(server(), email, { from })
      expect(await verified(answer.headers['set-cookie'] ?? '')).toBe(true)
    })
  })

  describe('a one-time link', () => {
    describe.each([
      { name: 'a common password', password: 'password1', error: 'common password' },
      { name: 'a short password', password: 'seven77', error: 'invalid input' },
    ])('after an attempt with $name', ({ password, error }) => {
      test('can still be used with another', async () => {
        const { email, from } = newIdentity()
        await server().key(email)
        const token = await claimToken(server(), email)
        const refused = await claim(server(), token, from, password)
        expect(refused).toMatchObject({ status: 400, json: { error } })
        expect((await claim(server(), token, from, PASSWORD)).status).toBe(200)
      })
    })
  })

  describe('an account that the operator made', () => {
    test.each([
      'ann@example.net',
      'Ann@Example.org',
      'jürgen@bücher.example',
      'JÜRGEN@BÜCHER.example.com',
      'boss@intranet',
      'ünï@x.example',
      'a/b@x.example',
      'a!b@x.example',
      'a..b@docomo.ne.jp',
      '.@x',
      '"q"@x.example',
      'a@[192.0.2.1]',
      '用户@例子.example',
      '🐈@x.example',
    ])('can be claimed and signed in to: %j', async (email) => {
      const { from } = newIdentity()
      const { account } = await server().key(email)
      expect((await claim(server(), await claimToken(server(), account), from)).status).toBe(200)
      const answer = await signIn(server(), email, { from })
      expect(answer.status).toBe(200)
      expect(await sessionEmail(server(), answer.headers['set-cookie'] ?? '')).toBe(account)
      expect((await signIn(server(), email, { from, password: 'another password' })).status).toBe(401)
    })
  })
})
