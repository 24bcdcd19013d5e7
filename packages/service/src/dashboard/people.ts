import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { hashPassword } from 'better-auth/crypto'
import type { Log } from '../observe/log.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Account, Store } from '../store/store.ts'

/** Where people live under; better-auth's own routes are named below it, and only those in `auth-routes.ts` are open. */
export const AUTH_PATH = '/app/auth'

/** How long one sign-in lasts. It is not prolonged by use. */
const SESSION_SECONDS = 7 * 86_400

/** A person who is signed in, and the account that is theirs. */
export interface Person {
  readonly accountId: string
  readonly email: string
}

/** Everything that the dashboard asks of better-auth; no other file knows it. */
export interface People {
  /** Hands one request to better-auth: a path below `AUTH_PATH`, JSON, and no header that it does not need. */
  ask(path: string, body: unknown, headers: Headers): Promise<Response>
  /** Whose session cookie this is. */
  whoIs(cookie: string | undefined): Promise<Person | undefined>
  /** Sets the password of an account, makes its person when there is none, and ends every session of theirs. */
  setPassword(account: Account, password: string): Promise<void>
  /** Forgets sessions that have ended by themselves. */
  sweep(now: number): Promise<void>
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
export function createPeople(options: PeopleOptions): People {
  const origin = new URL(options.baseUrl).origin
  const auth = betterAuth(authOptions(options))

  return {
    ask: (path, body, headers) =>
      auth.handler(
        new Request(`${origin}${AUTH_PATH}${path}`, { method: 'POST', headers, body: JSON.stringify(body ?? {}) }),
      ),

    async whoIs(cookie) {
      if (cookie === undefined) return undefined
      const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
      if (found === null || !('accountId' in found.user) || typeof found.user.accountId !== 'string') return undefined
      return { accountId: found.user.accountId, email: found.user.email }
    },

    async setPassword(account, password) {
      const hash = await hashPassword(password)
      const { adapter, internalAdapter } = await auth.$context
      const person = await adapter.findOne<{ id: string }>({
        model: 'user',
        where: [{ field: 'accountId', value: account.id }],
      })
      if (person === null) {
        const made = await internalAdapter.createUser(
          { email: account.email, name: '', emailVerified: false, accountId: account.id },
          { method: 'email-password' },
        )
        await internalAdapter.linkAccount({
          userId: made.id,
          providerId: 'credential',
          accountId: made.id,
          password: hash,
        })
      } else {
        await internalAdapter.updatePassword(person.id, hash)
        await internalAdapter.deleteUserSessions(person.id)
      }
    },

    async sweep(now) {
      const { adapter } = await auth.$context
      await adapter.deleteMany({
        model: 'session',
        where: [{ field: 'expiresAt', operator: 'lt', value: new Date(now) }],
      })
    },
  }
}

interface NewPerson {
  readonly email: string
  readonly accountId?: unknown
}

/**
 * A person who signs up gets a new account of that address. Is there one already, the address is not
 * theirs to take: better-auth turns this very refusal into the answer that a new address gets.
 */
async function withAccount(
  person: NewPerson,
  { store, now }: PeopleOptions,
): Promise<undefined | { data: { accountId: string } }> {
  if (typeof person.accountId === 'string') return undefined // made by a claim, which brings its account
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
      // Beside asking for the password once, this is what makes its answer to a known address that to a new one.
      autoSignIn: false,
    },
    user: {
      modelName: 'auth_user',
      additionalFields: { accountId: { type: 'string', required: false, input: false, unique: true } },
    },
    session: { modelName: 'auth_session', expiresIn: SESSION_SECONDS, disableSessionRefresh: true },
    account: { modelName: 'auth_credential' },
    verification: { modelName: 'auth_verification' },
    databaseHooks: {
      user: { create: { before: (person: NewPerson) => withAccount(person, options) } },
      // The library fills these in from headers; we hand it none, and say so a second time here.
      session: { create: { before: async () => ({ data: { ipAddress: null, userAgent: null } }) } },
    },
    // Attempts are limited before better-auth is asked (`attempts.ts`), so it never learns a network address.
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
