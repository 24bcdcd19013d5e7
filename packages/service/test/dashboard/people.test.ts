import { randomBytes } from 'node:crypto'
import { getMigrations } from 'better-auth/db/migration'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { CLAIM_HOURS, createClaim, takeClaim } from '../../src/dashboard/claims.ts'
import { authOptions, createPeople } from '../../src/dashboard/people.ts'
import { describeBothStores, HOUR, NOON } from '../store/support.ts'

describeBothStores('people', (databases) => {
  test('have the tables that better-auth asks for: it would make and add nothing', async () => {
    const database = await databases.shared()
    const { toBeCreated, toBeAdded } = await getMigrations(authOptions(optionsOn(database)))
    expect(toBeCreated).toEqual([])
    expect(toBeAdded).toEqual([])
  })

  test.each([
    { name: 'a one-time link works at once', after: 0, works: true },
    { name: 'a one-time link works to the end of its day', after: CLAIM_HOURS * HOUR - 1, works: true },
    { name: 'a one-time link has expired then', after: CLAIM_HOURS * HOUR, works: false },
  ])('$name', async ({ after, works }) => {
    const { kysely, store } = await databases.shared()
    const account = await store.ensureAccount('person1@example.com', NOON)
    const token = await createClaim(kysely, account, { now: () => NOON, randomBytes })
    expect(await takeClaim(kysely, token, NOON + after)).toBe(works ? account.id : undefined)
  })

  test('a one-time link is none to whoever knows what is stored of it', async () => {
    const { kysely, store } = await databases.shared()
    const account = await store.ensureAccount('person2@example.com', NOON)
    const token = await createClaim(kysely, account, { now: () => NOON, randomBytes })
    const { hash } = await kysely
      .selectFrom('auth_claims')
      .select('hash')
      .where('account_id', '=', account.id)
      .executeTakeFirstOrThrow()
    expect(await takeClaim(kysely, hash, NOON)).toBeUndefined()
    expect(await takeClaim(kysely, token, NOON)).toBe(account.id)
  })

  test('sessions that have ended are forgotten by the sweep, the others stay', async () => {
    const database = await databases.shared()
    const people = createPeople(optionsOn(database))
    const account = await database.store.ensureAccount('person3@example.com', NOON)
    await people.setPassword(account, 'correct horse')
    const signIn = () =>
      people.ask(
        '/sign-in/email',
        { email: account.email, password: 'correct horse' },
        new Headers({ 'content-type': 'application/json' }),
      )
    expect((await signIn()).status).toBe(200)
    await people.sweep(Date.now())
    expect(await sessions(database)).toBe(1)
    await people.sweep(Date.now() + 8 * 24 * HOUR)
    expect(await sessions(database)).toBe(0)
  })
})

type Opened = Awaited<ReturnType<Parameters<Parameters<typeof describeBothStores>[1]>[0]['shared']>>

function optionsOn(database: Opened): Parameters<typeof createPeople>[0] {
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

async function sessions({ kysely }: Opened): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from auth_session`.execute(kysely)
  return Number(rows[0]?.count)
}
