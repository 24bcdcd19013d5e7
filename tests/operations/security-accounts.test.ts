import { describe, expect, test } from 'vitest'
import {
  claim,
  claimToken,
  cookieOf,
  memberOf,
  newIdentity,
  newPerson,
  sessionEmail,
  signIn,
  signUp,
  visibleParts,
  visit,
} from '../support/person.ts'
import { describeOnEachStore } from '../support/stores.ts'

describeOnEachStore('accounts of users', (server) => {
  describe('signing up', () => {
    test('an existing address gets the same answer as a new one, and keeps its password', async () => {
      const { email, from } = newIdentity()
      const first = await signUp(server(), email, { from })
      const second = await signUp(server(), email.toUpperCase(), { from, password: 'password of somebody else' })
      expect(first.status).toBe(200)
      expect(visibleParts(second)).toEqual(visibleParts(first))
      expect((await signIn(server(), email, { from })).status).toBe(200)
      expect((await signIn(server(), email, { from, password: 'password of somebody else' })).status).toBe(401)
    })

    test('twenty simultaneous sign-ups with one new address create one account', async () => {
      const { email, from } = newIdentity()
      const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(server(), email, { from })))
      for (const answer of answers) expect(visibleParts(answer)).toEqual({ status: 200, text: '{}', cookie: undefined })
      expect((await signIn(server(), email, { from })).status).toBe(200)
      const accounts: { email: string }[] = JSON.parse((await server().cli('accounts', 'list', '--json')).stdout)
      expect(accounts.filter((account) => account.email === email)).toHaveLength(1)
    })

    test('an account made by the operator is not taken over by signing up with its address', async () => {
      const { email, from } = newIdentity()
      await server().key(email, 'starter')
      expect(visibleParts(await signUp(server(), email, { from }))).toEqual({
        status: 200,
        text: '{}',
        cookie: undefined,
      })
      expect((await signIn(server(), email, { from })).status).toBe(401)
    })

    test('a user and the operator see the same account', async () => {
      const person = await newPerson(server())
      await server().key(person.email, 'starter')
      const { json } = await visit(server(), '/app/account/keys', { cookie: person.cookie })
      expect(memberOf(json, 'keys')).toHaveLength(1)
      expect(memberOf(memberOf((await visit(server(), '/app/session', person)).json, 'account'), 'plan')).toBe(
        'starter',
      )
    })
  })

  describe("the operator's one-time link", () => {
    test('can be used once', async () => {
      const { email, from } = newIdentity()
      await server().key(email, 'pro')
      const token = await claimToken(server(), email)
      const claimed = await claim(server(), token, from)
      expect(claimed.json).toEqual({ email })
      const cookie = cookieOf(await signIn(server(), email, { from }))
      expect(await sessionEmail(server(), cookie)).toBe(email)
      expect((await claim(server(), token, from, 'another password')).status).toBe(410)
      expect((await signIn(server(), email, { from })).status).toBe(200)
    })

    test('is invalidated by a newer one', async () => {
      const { email, from } = newIdentity()
      await server().key(email)
      const [older, newer] = [await claimToken(server(), email), await claimToken(server(), email)]
      expect((await claim(server(), older, from)).status).toBe(410)
      expect((await claim(server(), newer, from)).status).toBe(200)
    })

    test('ends earlier sessions and invalidates the earlier password', async () => {
      const person = await newPerson(server())
      const { from } = newIdentity()
      await claim(server(), await claimToken(server(), person.email), from, 'password of the owner')
      expect(await sessionEmail(server(), person.cookie)).toBeNull()
      expect((await signIn(server(), person.email, { from })).status).toBe(401)
      expect((await signIn(server(), person.email, { from, password: 'password of the owner' })).status).toBe(200)
    })

    test('works only once if it is used twenty times at once', async () => {
      const { email, from } = newIdentity()
      await server().key(email)
      const token = await claimToken(server(), email)
      const answers = await Promise.all(Array.from({ length: 20 }, () => claim(server(), token, from)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('cannot be created for an unknown account', async () => {
      const { code, stderr } = await server().cli('accounts', 'password', 'nobody@example.com')
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    })
  })
})
