import { setTimeout as pause } from 'node:timers/promises'
import type { ClaimAnswer } from '@keepfirst/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { BackoffLimiter } from '../limits/backoff-limiter.ts'
import { problem, readInput } from './answers.ts'
import { forwarded, passCookies } from './auth-headers.ts'
import { AUTH_PATH } from './auth-service.ts'
import type { DashboardContext } from './context.ts'
import { EMAIL, NEW_EMAIL, NEW_PASSWORD, PASSWORD } from './fields.ts'
import { isCommonPassword } from './passwords.ts'
import { takeAttempt } from './take-attempt.ts'

/** Limits by network address. */
const SIGN_UPS = { free: 20, firstWaitSeconds: 60, longestWaitSeconds: 600, forgottenAfterSeconds: 3_600 }
const WRONG_LINKS = { free: 30, firstWaitSeconds: 1, longestWaitSeconds: 60, forgottenAfterSeconds: 600 }

/**
 * The minimum duration of a sign-up; refusals are immediate. Creating an account takes some writes that a known address
 * does not, and the difference in time would reveal whether an address is known.
 */
const SIGN_UP_MS = 500

const SIGN_UP = z.object({ email: NEW_EMAIL, password: NEW_PASSWORD })
const SIGN_IN = z.object({ email: EMAIL, password: PASSWORD })
const CLAIM = z.object({ token: z.string().min(1).max(100), password: NEW_PASSWORD })

/**
 * Sign-up, sign-in, sign-out, and claiming an account with the operator's one-time link. Routes that better-auth also
 * has keep its names; only those here and in `password-routes.ts` are reachable.
 */
export function authRoutes(server: FastifyInstance, context: DashboardContext): void {
  const { authService, now, limiter, hashing } = context
  const signUps = new BackoffLimiter(SIGN_UPS)
  const wrongLinks = new BackoffLimiter(WRONG_LINKS)

  type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

  const signUp: Work = async (request, reply) => {
    const retryAfter = signUps.take(request.network, now())
    if (retryAfter > 0) return problem(reply, 'too many attempts', { retryAfter })
    const read = readInput(SIGN_UP, request.body, reply)
    if (!read.ok) return read.answer
    if (context.settings.signup === 'closed') return problem(reply, 'sign-up closed')
    if (isCommonPassword(read.input.password, read.input.email)) return problem(reply, 'common password')
    const minimumTime = pause(SIGN_UP_MS)
    const answer = await hashing.run(request.network, () =>
      authService.post('/sign-up/email', { ...read.input, name: '' }, forwarded(request)),
    )
    if (answer === 'busy') return problem(reply, 'busy')
    await minimumTime
    // The same for new and known addresses: better-auth's own answer contains an identifier.
    return answer.ok ? {} : problem(reply, 'internal error')
  }

  const signIn: Work = async (request, reply) => {
    const read = readInput(SIGN_IN, request.body, reply)
    if (!read.ok) return read.answer
    const { email } = read.input
    const refused = takeAttempt(context, { network: request.network, email }, reply)
    if (refused !== undefined) return refused
    const answer = await hashing.run(request.network, () => authService.signIn(read.input, forwarded(request)))
    if (answer === 'busy') return problem(reply, 'busy')
    if (answer.status === 401) return problem(reply, 'wrong credentials')
    if (!answer.ok) return problem(reply, answer.status === 403 ? 'foreign origin' : 'internal error')
    limiter.succeeded(request.network, email)
    await authService.prune(now())
    // The body is not forwarded: it contains the session's token, which no script may read.
    passCookies(answer, reply)
    return {}
  }

  const claim: Work = async (request, reply) => {
    const read = readInput(CLAIM, request.body, reply)
    if (!read.ok) return read.answer
    const { token, password } = read.input
    const account = await authService.findClaim(token)
    if (account === undefined) {
      // Valid links are never counted, so strangers behind the same address cannot lock the owner out.
      const retryAfter = wrongLinks.take(request.network, now())
      return retryAfter > 0 ? problem(reply, 'too many attempts', { retryAfter }) : problem(reply, 'link expired')
    }
    if (isCommonPassword(password, account.email)) return problem(reply, 'common password')
    const claimed = await hashing.run(request.network, () => authService.claim(token, password))
    if (claimed === 'busy') return problem(reply, 'busy')
    if (claimed === undefined) return problem(reply, 'link expired')
    limiter.forget(claimed.email)
    return { email: claimed.email } satisfies ClaimAnswer
  }

  server.post(`${AUTH_PATH}/sign-up/email`, signUp)
  server.post(`${AUTH_PATH}/sign-in/email`, signIn)
  server.post(`${AUTH_PATH}/claim`, claim)
  server.post(`${AUTH_PATH}/sign-out`, async (request, reply) => {
    const answer = await authService.signOut(forwarded(request))
    passCookies(answer, reply)
    return answer.ok ? {} : problem(reply, 'internal error')
  })
}
