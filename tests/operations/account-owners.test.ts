import { describe, expect, test } from 'vitest'
import {
  claim,
  claimToken,
  cookieOf,
  memberOf,
  newIdentity,
  newPerson,
  PASSWORD,
  type Person,
  sessionEmail,
  signIn,
  signUp,
  textOf,
  visit,
} from '../support/person.ts'
import { bytesOnDisk, startServer } from '../support/server.ts'
import { describeOnEachStore } from '../support/stores.ts'

const NEW_PASSWORD = 'my new password'
const LINES = { mode: 'lines', data: 'a\na\nb' }

describeOnEachStore('accounts with an owner', (server) => {
  const change = (person: Person, body: object) =>
    visit(server(), '/app/account/password', { cookie: person.cookie, from: person.from, body })
  const remove = (person: Person, password: string) =>
    visit(server(), '/app/account/delete', { cookie: person.cookie, from: person.from, body: { password } })

  describe('changing the password', () => {
    test('ends other sessions, keeps the current one, and invalidates the old password', async () => {
      const person = await newPerson(server())
      const elsewhere = cookieOf(await signIn(server(), person.email, { from: person.from }))
      const changed = await change(person, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
      expect(changed).toMatchObject({ status: 200, text: '{}' })
      expect(await sessionEmail(server(), cookieOf(changed))).toBe(person.email)
      expect(await sessionEmail(server(), elsewhere)).toBeNull()
      expect(await sessionEmail(server(), person.cookie)).toBeNull()
      expect((await signIn(server(), person.email, { from: person.from })).status).toBe(401)
      expect((await signIn(server(), person.email, { from: person.from, password: NEW_PASSWORD })).status).toBe(200)
    })

    test.each([
      {
        name: 'the current password is wrong',
        body: { currentPassword: 'wrong', newPassword: NEW_PASSWORD },
        expected: { status: 401, json: { error: 'wrong credentials' } },
      },
      {
        name: 'the new password is common',
        body: { currentPassword: PASSWORD, newPassword: 'password1' },
        expected: { status: 400, json: { error: 'common password' } },
      },
      {
        name: 'the new password is short',
        body: { currentPassword: PASSWORD, newPassword: 'v8$Qm2!' },
        expected: { status: 400, json: { error: 'invalid input', field: 'newPassword' } },
      },
      {
        name: 'the current password is missing',
        body: { newPassword: NEW_PASSWORD },
        expected: { status: 400, json: { error: 'invalid input', field: 'currentPassword' } },
      },
    ])('changes nothing if $name', async ({ body, expected }) => {
      const person = await newPerson(server())
      expect(await change(person, body)).toMatchObject(expected)
      expect(await sessionEmail(server(), person.cookie)).toBe(person.email)
      expect((await signIn(server(), person.email, { from: person.from })).status).toBe(200)
    })

    test('guesses at the current password are counted like sign-in attempts', async () => {
      const person = await newPerson(server())
      const guesses = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          change(person, { currentPassword: `guess ${i}`, newPassword: NEW_PASSWORD }),
        ),
      )
      expect(guesses.filter(({ status }) => status === 401).length).toBeLessThan(10)
      expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(10)
    })

    test('requires a session', async () => {
      const { from } = newIdentity()
      const answer = await visit(server(), '/app/account/password', {
        from,
        body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      })
      expect(answer).toMatchObject({ status: 401, json: { error: 'signed out' } })
    })
  })

  test('signing out everywhere ends every session', async () => {
    const person = await newPerson(server())
    const elsewhere = cookieOf(await signIn(server(), person.email, { from: person.from }))
    expect((await visit(server(), '/app/auth/sign-out-everywhere', { cookie: person.cookie, body: {} })).status).toBe(
      200,
    )
    for (const cookie of [person.cookie, elsewhere]) expect(await sessionEmail(server(), cookie)).toBeNull()
    expect((await visit(server(), '/app/auth/sign-out-everywhere', { cookie: person.cookie, body: {} })).status).toBe(
      401,
    )
  })

  describe('deleting the account', () => {
    test('ends its keys and sessions at once; its usage stays in the sums, without its address', async () => {
      const person = await newPerson(server())
      const created = await visit(server(), '/app/account/keys', {
        cookie: person.cookie,
        body: { name: 'private name' },
      })
      const token = textOf(created.json, 'token')
      expect((await server().call({ token, body: LINES })).status).toBe(200)
      const deleted = await remove(person, PASSWORD)
      expect(deleted.status).toBe(200)
      expect(deleted.headers['set-cookie']).toContain('Max-Age=0')

      expect((await server().call({ token, body: LINES })).status).toBe(401)
      expect(await sessionEmail(server(), person.cookie)).toBeNull()
      expect((await signIn(server(), person.email, newIdentity())).status).toBe(401)
      for (const command of [['accounts', 'list'], ['keys', 'list'], ['usage'], ['usage', '--events']])
        expect((await server().cli(...command)).stdout).not.toContain(person.email)
      const months: { account: string; used: number }[] = JSON.parse((await server().cli('usage', '--json')).stdout)
      expect(months.filter(({ account }) => account.startsWith('deleted ')).map(({ used }) => used)).toContain(3)
    })

    test('needs the password', async () => {
      const person = await newPerson(server())
      expect(await remove(person, 'wrong')).toMatchObject({ status: 401, json: { error: 'wrong credentials' } })
      expect(await sessionEmail(server(), person.cookie)).toBe(person.email)
    })

    test('frees the address for a new account, which has none of the old data', async () => {
      const person = await newPerson(server())
      await server().key(person.email, 'pro')
      await remove(person, PASSWORD)
      const { from } = newIdentity()
      await signUp(server(), person.email, { from })
      const cookie = cookieOf(await signIn(server(), person.email, { from }))
      expect((await visit(server(), '/app/account/keys', { cookie })).json).toEqual({ keys: [] })
      expect(memberOf((await visit(server(), '/app/session', { cookie })).json, 'account')).toMatchObject({
        plan: 'free',
      })
    })

    test('can also be done by the operator, and invalidates an unused link', async () => {
      const { email, from } = newIdentity()
      const { token } = await server().key(email)
      const link = await claimToken(server(), email)
      expect((await server().cli('accounts', 'delete', email)).code).toBe(0)
      expect((await server().call({ token, body: LINES })).status).toBe(401)
      expect((await claim(server(), link, from)).status).toBe(410)
      const again = await server().cli('accounts', 'delete', email)
      expect(again.code).toBe(1)
      expect(again.stderr).toContain(`there is no account ${email}`)
    })
  })
})

test('the embedded database file contains neither the address nor the names of a deleted account', async () => {
  const server = await startServer()
  const { email, from } = newIdentity()
  await signUp(server, email, { from })
  const cookie = cookieOf(await signIn(server, email, { from }))
  await visit(server, '/app/account/keys', { cookie, body: { name: 'private name' } })
  await visit(server, '/app/account/delete', { cookie, from, body: { password: PASSWORD } })
  await server.stop()
  const disk = await bytesOnDisk(server.folder)
  expect(disk.includes(email)).toBe(false)
  expect(disk.includes('private name')).toBe(false)
})
