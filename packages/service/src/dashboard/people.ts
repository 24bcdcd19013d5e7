import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { hashPassword } from 'better-auth/crypto'
import { getAdapter } from 'better-auth/db/adapter'
import { findClaim, takeClaim } from '../accounts/claims.ts'
import type { Log } from '../observe/log.ts'
import { claimAccount } from '../store/directory.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Account, Store } from '../store/store.ts'
import { inTransaction } from '../store/transaction.ts'
import { withCookiesOf } from './cookies.ts'
import { hashingSessionTokens } from './session-tokens.ts'

/** Where people live under; better-auth's own routes are named below it, and only those in `auth-routes.ts` are open. */
export const AUTH_PATH = '/app/auth'

/** How long one sign-in lasts. It is not prolonged by use. */
export const SESSION_DAYS = 7

/** A person who is signed in, and the account that is theirs. */
export interface Person {
  readonly accountId: string
  readonly email: string
}

/** Everything that the dashboard asks of better-auth; no other file but `session-tokens.ts` knows it. */
export interface People {
  /** Hands one request to better-auth: a path below `AUTH_PATH`, JSON, and no header that it does not need. */
  ask(path: string, body: unknown, headers: Headers): Promise<Response>
  /** Whose session cookie this is. */
  whoIs(cookie: string | undefined): Promise<Person | undefined>
  /** Signs in by address and password. No session outlives a password that was changed while it was being checked. */
  signIn(credentials: Credentials, headers: Headers): Promise<Response>
  /** The account that a one-time link is for, undefined when the link was used, replaced or has expired. */
  findClaim(token: string): Promise<Account | undefined>
  /**
   * Hands an account over to whoever holds its one-time link. In one step, or not at all: the link is used up, every
   * session ends, keys that a sign-up made end, and the password is this one.
   * @returns the account; undefined, and nothing is changed, when the link is not valid any more
   */
  claim(token: string, password: string): Promise<Account | undefined>
  /** Is this the password of whoever's session cookie stands in these headers? */
  isPassword(password: string, headers: Headers): Promise<boolean>
  /** Forgets sessions and one-time links that have ended by themselves. */
  prune(now: number): Promise<void>
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface PeopleOptions {
  readonly store: Store
  readonly database: Pick<OpenDatabase, 'kysely' | 'kind'>
  /** Signs cookies; at least 32 characters. */
  readonly secret: string
  readonly baseUrl: string
  readonly trustedOrigins: readonly string[]
  readonly signup: 'open' | 'closed'
  readonly log: Log
  readonly now: () => number
}

/**
 * People and their sessions, kept by better-auth.
 *
 * One person has one account. The link is the person's `accountId`, written once and never looked up
 * by address: nobody's address is verified (the product sends no mail), so an address proves nothing.
 */
export async function createPeople(options: PeopleOptions): Promise<People> {
  const { store, database, now } = options
  const { kysely } = database
  const origin = new URL(options.baseUrl).origin
  const plain = authOptions(options)
  const adapter = hashingSessionTokens(await getAdapter(plain))
  const auth = betterAuth({ ...plain, database: () => adapter })

  const ask = (path: string, body: unknown, headers: Headers): Promise<Response> =>
    auth.handler(new Request(`${origin}${AUTH_PATH}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))

  /** What is stored of the password of an address: another one for every password, undefined without any. */
  const passwordHash = async (email: string): Promise<string | undefined> => {
    const { internalAdapter } = await auth.$context
    const found = await internalAdapter.findUserByEmail(email, { includeAccounts: true })
    return found?.accounts[0]?.password ?? undefined
  }

  return {
    ask,

    async signIn(credentials, headers) {
      const before = await passwordHash(credentials.email)
      const answer = await ask('/sign-in/email', credentials, headers)
      if (!answer.ok || (await passwordHash(credentials.email)) === before) return answer
      await ask('/sign-out', {}, withCookiesOf(answer, headers))
      return new Response(null, { status: 401 })
    },

    async whoIs(cookie) {
      if (cookie === undefined) return undefined
      const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
      if (found === null || !('accountId' in found.user) || typeof found.user.accountId !== 'string') return undefined
      return { accountId: found.user.accountId, email: found.user.email }
    },

    async findClaim(token) {
      const accountId = await findClaim(kysely, token, now())
      return accountId === undefined ? undefined : store.accountById(accountId)
    },

    async claim(token, password) {
      const hash = await hashPassword(password)
      const claimed = await inTransaction(kysely, async (trx) => {
        const accountId = await takeClaim(trx, token, now())
        const account = accountId === undefined ? undefined : await claimAccount(trx, accountId, now())
        if (account === undefined) return undefined
        const inside = await getAdapter(authOptions({ ...options, database: { ...database, kysely: trx } }))
        return { account, personId: await setPassword(inside, account, hash) }
      })
      if (claimed === undefined) return undefined
      // Once more: a sign-in that was under way may have begun its session while the step above was not yet to be seen.
      await adapter.deleteMany({ model: 'session', where: [{ field: 'userId', value: claimed.personId }] })
      return claimed.account
    },

    async isPassword(password, headers) {
      try {
        await auth.api.verifyPassword({ body: { password }, headers })
        return true
      } catch (error) {
        if (error instanceof APIError && error.statusCode < 500) return false
        throw error
      }
    },

    async prune(at) {
      await kysely.deleteFrom('auth_claims').where('expires_at', '<=', at).execute()
      await adapter.deleteMany({
        model: 'session',
        where: [{ field: 'expiresAt', operator: 'lt', value: new Date(at) }],
      })
    },
  }
}

type Adapter = Awaited<ReturnType<typeof getAdapter>>

/**
 * Gives an account's person this password and ends every session of theirs; makes the person when there is none.
 * @returns the person's identifier
 */
async function setPassword(adapter: Adapter, account: Account, hash: string): Promise<string> {
  const at = { createdAt: new Date(), updatedAt: new Date() }
  const person =
    (await adapter.findOne<{ id: string }>({
      model: 'user',
      where: [{ field: 'accountId', value: account.id }],
    })) ??
    (await adapter.create<{ id: string } & Record<string, unknown>>({
      model: 'user',
      data: { email: account.email, name: '', emailVerified: true, accountId: account.id, ...at },
    }))
  const of = [{ field: 'userId', value: person.id }]
  await adapter.deleteMany({ model: 'session', where: of })
  await adapter.deleteMany({ model: 'account', where: of })
  await adapter.create({
    model: 'account',
    data: { userId: person.id, providerId: 'credential', accountId: person.id, password: hash, ...at },
  })
  return person.id
}

interface NewPerson {
  readonly email: string
}

/**
 * A person who signs up gets a new account of that address. Is there one already, the address is not
 * theirs to take: better-auth turns this very refusal into the answer that a new address gets.
 */
async function withAccount(person: NewPerson, { store, now }: PeopleOptions): Promise<{ data: { accountId: string } }> {
  const account = await store.createAccount(person.email, now())
  if (account === undefined) throw new APIError('FORBIDDEN')
  return { data: { accountId: account.id } }
}

/*
 * Whatever better-auth would otherwise take from its environment (NODE_ENV=test switches its origin
 * checks off) or guess is said here.
 */
export function authOptions(options: PeopleOptions): BetterAuthOptions {
  const { database, secret, baseUrl, trustedOrigins, signup, log } = options
  return {
    baseURL: new URL(baseUrl).origin,
    basePath: AUTH_PATH,
    secret,
    database: { db: database.kysely, type: database.kind },
    trustedOrigins: [...trustedOrigins],
    telemetry: { enabled: false },
    // Its messages below an error name addresses of people; its arguments may.
    logger: {
      log: (level: string, message: string) => level === 'error' && log.error({ from: 'better-auth' }, message),
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: signup === 'closed',
      // The password is asked for once more, and a known address is answered like a new one: that needs this setting.
      autoSignIn: false,
    },
    user: {
      modelName: 'auth_user',
      additionalFields: { accountId: { type: 'string', required: false, input: false, unique: true } },
    },
    session: { modelName: 'auth_session', expiresIn: SESSION_DAYS * 86_400, disableSessionRefresh: true },
    account: { modelName: 'auth_credential' },
    verification: { modelName: 'auth_verification' },
    databaseHooks: {
      user: { create: { before: (person: NewPerson) => withAccount(person, options) } },
      // The library fills these in from headers; we hand it none, and say so a second time here.
      session: { create: { before: async () => ({ data: { ipAddress: null, userAgent: null } }) } },
    },
    // Attempts are limited before better-auth is asked (`sign-in-limiter.ts`), so it never learns a network address.
    rateLimit: { enabled: false },
    advanced: {
      ipAddress: { disableIpTracking: true },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      cookiePrefix: 'keepfirst',
      useSecureCookies: baseUrl.startsWith('https:'),
      // Below /app alone: the API never sees a cookie.
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', path: '/app' },
      database: { validateSchema: false },
    },
  }
}
