import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

/** The path of the endpoint, below that of better-auth. */
export const SIGN_IN_PATH = '/sign-in/account'

const CREDENTIALS = z.object({ email: z.string(), password: z.string() })

/**
 * Signing in with any address that an account can have: better-auth's own endpoint takes only plain ones (`z.email`),
 * but operators choose the addresses of the accounts that they make. Answers 401 for an unknown address as for a wrong
 * password, after the same work, and if the password changes during the check.
 */
export function signInEndpoint(): BetterAuthPlugin {
  const endpoint = createAuthEndpoint(
    SIGN_IN_PATH,
    { method: 'POST', body: CREDENTIALS, use: [formCsrfMiddleware] },
    async (ctx) => {
      const { internalAdapter, password } = ctx.context
      const find = () => internalAdapter.findUserByEmail(ctx.body.email, { includeAccounts: true })
      const found = await find()
      const hash = found?.accounts[0]?.password
      if (!found || !hash) {
        await password.hash(ctx.body.password)
        throw new APIError('UNAUTHORIZED')
      }
      if (!(await password.verify({ hash, password: ctx.body.password }))) throw new APIError('UNAUTHORIZED')
      const session = await internalAdapter.createSession(found.user.id)
      // The stored hash differs after every change (salted).
      if ((await find())?.accounts[0]?.password !== hash) {
        await internalAdapter.deleteSession(session.token)
        throw new APIError('UNAUTHORIZED')
      }
      await setSessionCookie(ctx, { session, user: found.user })
      return ctx.json({})
    },
  )
  return { id: 'keepfirst-sign-in', endpoints: { signIn: endpoint } }
}
