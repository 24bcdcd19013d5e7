import '../../../../tests/support/cheap-passwords.mjs'
import { randomBytes } from 'node:crypto'
import { getMigrations } from 'better-auth/db/migration'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { CLAIM_HOURS, createClaim, findClaim, takeClaim } from '../../src/accounts/claims.ts'
import { issueKey } from '../../src/accounts/keys.ts'
import { type AuthService, authOptions, createAuthService } from '../../src/dashboard/auth-service.ts'
import type { OpenDatabase } from '../../src/store/open.ts'
import type { Account } from '../../src/store/store.ts'
import { describeBothStores, HOUR, NOON, newEmail } from '../store/support.ts'

describeBothStores('users', (databases) => {
  let database: OpenDatabase
  let authService: AuthService
  beforeAll(async () => {
    database = await databases.shared()
    authService = await createAuthService(optionsOn(database))
  })

  const newClaim = (account: Account) => createClaim(database.kysely, account, { now: () => NOON, randomBytes })
  const signUp = (email: string, password: string) =>
    authService.post('/sign-up/email', { email, password, name: '' }, JSON_TYPE)
  const signIn = (email: string, password: string) => authService.signIn({ email, password }, JSON_TYPE)

  test('the tables are complete: better-auth would not create or add anything', async () => {
    const { toBeCreated, toBeAdded } = await getMigrations(authOptions(optionsOn(database)))
    expect(toBeCreated).toEqual([])
    expect(toBeAdded).toEqual([])
  })

  describe('a one-time link', () => {
    test.each([
      { name: 'works at once', after: 0, works: true },
      { name: 'works until the end of its validity', after: CLAIM_HOURS * HOUR - 1, works: true },
      { name: 'has expired after that', after: CLAIM_HOURS * HOUR, works: false },
    ])('$name', async ({ after, works }) => {
      const { kysely, store } = database
      const account = await store.ensureAccount(newEmail(), NOON)
      const token = await newClaim(account)
      expect(await findClaim(kysely, token, NOON + after)).toBe(works ? account.id : undefined)
      expect(await takeClaim(kysely, token, NOON + after)).toBe(works ? account.id : undefined)
    })

    test('cannot be derived from what is stored', async () => {
      const { kysely, store } = database
      const account = await store.ensureAccount(newEmail(), NOON)
      const token = await newClaim(account)
      const { hash } = await kysely
        .selectFrom('auth_claims')
        .select('hash')
        .where('account_id', '=', account.id)
        .executeTakeFirstOrThrow()
      expect(await takeClaim(kysely, hash, NOON)).toBeUndefined()
      expect(await takeClaim(kysely, token, NOON)).toBe(account.id)
    })

    test('works once, even if it is used several times at the same moment', async () => {
      const token = await newClaim(await database.store.ensureAccount(newEmail(), NOON))
      const claimed = await Promise.all(
        ['one password', 'another password'].map((password) => authService.claim(token, password)),
      )
      expect(claimed.filter((account) => account !== undefined)).toHaveLength(1)
    })
  })

  describe('a claim', () => {
    test('also ends the sessions of sign-ins that are in progress at the same time', async () => {
      for (let round = 0; round < 3; round++) {
        const email = newEmail()
        await signUp(email, 'of the first user')
        const account = await database.store.findAccount(email)
        if (account === undefined) throw new Error('nobody signed up')
        const token = await newClaim(account)
        const signIns = Array.from({ length: 4 }, () => signIn(email, 'of the first user'))
        const claiming = authService.claim(token, 'of the owner')
        const answers = await Promise.all(signIns)
        await claiming
        for (const answer of answers) expect(await authService.userOfSession(cookieOf(answer))).toBeUndefined()
      }
    })

    test('prevents a key that was requested before the claim and would be created after it', async () => {
      const email = newEmail()
      await signUp(email, 'of the first user')
      const seen = await database.store.findAccount(email)
      if (seen === undefined) throw new Error('nobody signed up')
      await authService.claim(await newClaim(seen), 'of the owner')
      const request = { accountId: seen.id, tokenPrefix: 'kf', now: NOON, randomBytes }
      expect(await issueKey(database.store, { ...request, seen })).toBe('no account')
      const claimed = await database.store.findAccount(email)
      expect(await issueKey(database.store, { ...request, seen: claimed })).toMatchObject({ key: { madeBy: 'owner' } })
    })

    test('can be repeated after a forgotten password: the owner keeps their keys', async () => {
      const account = await database.store.ensureAccount(newEmail(), NOON)
      const first = await authService.claim(await newClaim(account), 'the first password')
      const request = { accountId: account.id, tokenPrefix: 'kf', now: NOON, randomBytes }
      await issueKey(database.store, { ...request, seen: first })
      await authService.claim(await newClaim(account), 'the second password')
      expect(await database.store.keysOf(account.id)).toMatchObject([{ madeBy: 'owner', revokedAt: null }])
      expect((await signIn(account.email, 'the first password')).status).toBe(401)
      expect((await signIn(account.email, 'the second password')).status).toBe(200)
    })
  })

  test('a session cookie cannot be derived from what is stored', async () => {
    const email = newEmail()
    await signUp(email, 'correct horse')
    const cookie = cookieOf(await signIn(email, 'correct horse'))
    expect(await authService.userOfSession(cookie)).toMatchObject({ email })
    const { rows } = await sql<{ token: string }>`select token from auth_session`.execute(database.kysely)
    for (const { token } of rows) expect(cookie).not.toContain(token)
  })

  test('pruning deletes expired sessions only', async () => {
    const email = newEmail()
    await signUp(email, 'correct horse')
    const cookie = cookieOf(await signIn(email, 'correct horse'))
    await authService.prune(Date.now())
    expect(await authService.userOfSession(cookie)).toMatchObject({ email })
    await authService.prune(Date.now() + 8 * 24 * HOUR)
    expect(await authService.userOfSession(cookie)).toBeUndefined()
  })
})

const JSON_TYPE = new Headers({ 'content-type': 'application/json' })

function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

function optionsOn(database: OpenDatabase): Parameters<typeof createAuthService>[0] {
  return {
    store: database.store,
    database,
    secret: 'a secret of the tests, long enough for anyone',
    baseUrl: 'http://localhost:8080',
    trustedOrigins: [],
    signup: 'open',
    log: { debug() {}, info() {}, warn() {}, error() {} },
    now: () => NOON,
  }
}
