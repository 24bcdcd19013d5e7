import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { hashPassword } from 'better-auth/crypto'
import { getAdapter } from 'better-auth/db/adapter'
import { findClaim, takeClaim } from '../accounts/claims.ts'
import type { Log } from '../observe/log.ts'
import { claimAccount } from '../store/accounts.ts'
import type { OpenDatabase } from '../store/open.ts'
import type { Account, Store } from '../store/store.ts'
import { inTransaction } from '../store/transaction.ts'
import { type Adapter, hashingSessionTokens } from './session-tokens.ts'
import { SIGN_IN_PATH, signInEndpoint } from './sign-in-endpoint.ts'

/** The base path of better-auth's routes; only those in `auth-routes.ts` and `password-routes.ts` are reachable. */
export const AUTH_PATH = '/app/auth'

/** How long a sign-in lasts. Use does not extend it. */
export const SESSION_DAYS = 7

/** A signed-in user and their account. */
export interface User {
  readonly accountId: string
  readonly email: string
}

/**
 * Everything that the dashboard needs from better-auth; only this file, `session-tokens.ts` and `sign-in-endpoint.ts`
 * use it.
 */
export interface AuthService {
  /**
   * Passes one request to better-auth: a path below `AUTH_PATH`, a JSON body, and only the headers that it needs.
   * @throws Error when the store fails
   */
  post(path: string, body: unknown, headers: Headers): Promise<Response>
  /** The user that a session cookie belongs to. */
  userOfSession(cookie: string | undefined): Promise<User | undefined>
  /** Signs in with an address and a password. If the password changes during the check, no session is started. */
  signIn(credentials: Credentials, headers: Headers): Promise<Response>
  /**
   * Ends the session whose cookie is in the headers, if there is one, and clears the cookie.
   * @throws Error when the session could not be ended
   */
  signOut(headers: Headers): Promise<Response>
  /** The account that a one-time link is for; undefined if it was used or replaced, or has expired. */
  findClaim(token: string): Promise<Account | undefined>
  /**
   * Gives an account to the holder of its one-time link. Atomic: the link is used up, all sessions end, keys made after
   * a sign-up are revoked, and the password is set.
   * @returns the account, or undefined if the link is no longer valid (then nothing was changed)
   */
  claim(token: string, password: string): Promise<Account | undefined>
  /** Whether this is the password of the user whose session cookie is in the headers. */
  isPassword(password: string, headers: Headers): Promise<boolean>
  /** Deletes expired sessions and one-time links. */
  prune(now: number): Promise<void>
}

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface AuthServiceOptions {
  readonly store: Store
  readonly database: Pick<OpenDatabase, 'kysely' | 'kind'>
  /** Signs cookies; at least 32 characters. */
  readonly secret: string
  readonly baseUrl: string
  readonly trustedOrigins: readonly string[]
  readonly signup: 'open' | 'closed'
  readonly log: Log
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number
}

/**
 * Users and their sessions, stored by better-auth.
 *
 * Each user has one account, linked by `accountId`, which is written once. Accounts are never looked up by the user's
 * address: addresses are not verified (the product sends no mail) and so prove nothing.
 */
export async function createAuthService(options: AuthServiceOptions): Promise<AuthService> {
  const { store, database, now } = options
  const { kysely } = database
  const origin = new URL(options.baseUrl).origin
  const plain = authOptions(options)
  const adapter = hashingSessionTokens(await getAdapter(plain))
  const auth = betterAuth({ ...plain, database: () => adapter })

  const post = (path: string, body: unknown, headers: Headers): Promise<Response> =>
    auth.handler(new Request(`${origin}${AUTH_PATH}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }))

  return {
    post,

    signIn: (credentials, headers) => post(SIGN_IN_PATH, credentials, headers),

    async userOfSession(cookie) {
      if (cookie === undefined) return undefined
      const found = await auth.api.getSession({ headers: new Headers({ cookie }) })
      if (found === null || !('accountId' in found.user) || typeof found.user.accountId !== 'string') return undefined
      return { accountId: found.user.accountId, email: found.user.email }
    },

    async signOut(headers) {
      // First, because better-auth answers as if it had ended the session even if it could not.
      const found = await auth.api.getSession({ headers })
      if (found !== null) {
        await adapter.deleteMany({ model: 'session', where: [{ field: 'id', value: found.session.id }] })
      }
      return post('/sign-out', {}, headers)
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
        return { account, userId: await setPassword(inside, account, { hash, at: new Date(now()) }) }
      })
      if (claimed === undefined) return undefined
      // Again, because a concurrent sign-in may have started a session that the step above could not yet see.
      await adapter.deleteMany({ model: 'session', where: [{ field: 'userId', value: claimed.userId }] })
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

/**
 * Sets the password of an account's user and ends all their sessions; creates the user if there is none.
 * @returns the user's identifier
 */
async function setPassword(
  adapter: Adapter,
  account: Account,
  { hash, at }: { readonly hash: string; readonly at: Date },
): Promise<string> {
  const times = { createdAt: at, updatedAt: at }
  const user =
    (await adapter.findOne<{ id: string }>({
      model: 'user',
      where: [{ field: 'accountId', value: account.id }],
    })) ??
    (await adapter.create<{ id: string } & Record<string, unknown>>({
      model: 'user',
      data: { email: account.email, name: '', emailVerified: true, accountId: account.id, ...times },
    }))
  const ofUser = [{ field: 'userId', value: user.id }]
  await adapter.deleteMany({ model: 'session', where: ofUser })
  await adapter.deleteMany({ model: 'account', where: ofUser })
  await adapter.create({
    model: 'account',
    data: { userId: user.id, providerId: 'credential', accountId: user.id, password: hash, ...times },
  })
  return user.id
}

interface NewUser {
  readonly email: string
}

/**
 * A user who signs up gets a new account for that address. If there is one already, the address is not theirs to take;
 * better-auth turns this refusal into the same answer that a new address gets.
 */
async function withAccount(
  user: NewUser,
  { store, now }: AuthServiceOptions,
): Promise<{ data: { accountId: string } }> {
  const account = await store.createAccount(user.email, now())
  if (account === undefined) throw new APIError('FORBIDDEN')
  return { data: { accountId: account.id } }
}

/**
 * Explicitly sets everything that better-auth would otherwise guess or take from its environment (NODE_ENV=test
 * disables its origin checks).
 */
export function authOptions(options: AuthServiceOptions): BetterAuthOptions {
  const { database, secret, baseUrl, trustedOrigins, signup, log } = options
  return {
    baseURL: new URL(baseUrl).origin,
    basePath: AUTH_PATH,
    secret,
    database: { db: database.kysely, type: database.kind },
    trustedOrigins: [...trustedOrigins],
    telemetry: { enabled: false },
    // Its messages below the error level contain users' addresses, and its arguments may too.
    logger: {
      log: (level: string, message: string) => level === 'error' && log.error({ from: 'better-auth' }, message),
    },
    onAPIError: { throw: true }, // otherwise it prints faults on standard error and answers 500
    plugins: [signInEndpoint()],
    emailAndPassword: {
      enabled: true,
      disableSignUp: signup === 'closed',
      // Signing in takes a second request, and a known address gets the same answer as a new one; both need this
      // setting.
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
      user: { create: { before: (user: NewUser) => withAccount(user, options) } },
      // The library fills these in from headers; we pass none, and set them to null here as well.
      session: { create: { before: async () => ({ data: { ipAddress: null, userAgent: null } }) } },
    },
    // Attempts are limited before better-auth is called (`sign-in-limiter.ts`), so it never sees a network address.
    rateLimit: { enabled: false },
    advanced: {
      ipAddress: { disableIpTracking: true },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      cookiePrefix: 'keepfirst',
      useSecureCookies: baseUrl.startsWith('https:'),
      // Only below /app: the API never sees a cookie.
      defaultCookieAttributes: { httpOnly: true, sameSite: 'strict', path: '/app' },
      database: { validateSchema: false },
    },
  }
}
