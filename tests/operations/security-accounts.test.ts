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

describeOnEachStore('accounts of people', (server) => {
  describe('signing up', () => {
    test('a known address gets the very answer that a new one gets, and its password stays', async () => {
      const { email, from } = newIdentity()
      const first = await signUp(server(), email, { from })
      const second = await signUp(server(), email.toUpperCase(), { from, password: 'somebody else entirely' })
      expect(first.status).toBe(200)
      expect(visibleParts(second)).toEqual(visibleParts(first))
      expect((await signIn(server(), email, { from })).status).toBe(200)
      expect((await signIn(server(), email, { from, password: 'somebody else entirely' })).status).toBe(401)
    })

    test('twenty sign-ups of one new address at once make one account', async () => {
      const { email, from } = newIdentity()
      const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(server(), email, { from })))
      for (const answer of answers) expect(visibleParts(answer)).toEqual({ status: 200, text: '{}', cookie: undefined })
      expect((await signIn(server(), email, { from })).status).toBe(200)
      const accounts: { email: string }[] = JSON.parse((await server().cli('accounts', 'list', '--json')).stdout)
      expect(accounts.filter((account) => account.email === email)).toHaveLength(1)
    })

    test('an account made by the operator is not taken over by naming its address', async () => {
      const { email, from } = newIdentity()
      await server().key(email, 'starter')
      expect(visibleParts(await signUp(server(), email, { from }))).toEqual({
        status: 200,
        text: '{}',
        cookie: undefined,
      })
      expect((await signIn(server(), email, { from })).status).toBe(401)
    })

    test('a person and the operator see one account', async () => {
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
    test('opens the account once', async () => {
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

    test('a new one invalidates the previous one', async () => {
      const { email, from } = newIdentity()
      await server().key(email)
      const [before, after] = [await claimToken(server(), email), await claimToken(server(), email)]
      expect((await claim(server(), before, from)).status).toBe(410)
      expect((await claim(server(), after, from)).status).toBe(200)
    })

    test('ends every earlier session and the earlier password', async () => {
      const person = await newPerson(server())
      const { from } = newIdentity()
      await claim(server(), await claimToken(server(), person.email), from, 'the owner came back')
      expect(await sessionEmail(server(), person.cookie)).toBeNull()
      expect((await signIn(server(), person.email, { from })).status).toBe(401)
      expect((await signIn(server(), person.email, { from, password: 'the owner came back' })).status).toBe(200)
    })

    test('used by twenty at once, works for one', async () => {
      const { email, from } = newIdentity()
      await server().key(email)
      const token = await claimToken(server(), email)
      const answers = await Promise.all(Array.from({ length: 20 }, () => claim(server(), token, from)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    test('does not exist for an account that does not', async () => {
      const { code, stderr } = await server().cli('accounts', 'password', 'nobody@example.com')
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    })
  })
})
