import { setTimeout as pause } from 'node:timers/promises'
import { type ClaimAnswer, FIELD_LIMITS } from '@keepfirst/protocol'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { problem, readInput } from './answers.ts'
import { Attempts } from './attempts.ts'
import { takeClaim } from './claims.ts'
import type { Desk } from './desk.ts'
import { createGate } from './gate.ts'
import { AUTH_PATH } from './people.ts'

/** By network address, whatever address of a person is named. */
const SIGN_INS = { attempts: 30, windowSeconds: 600 }
const SIGN_UPS = { attempts: 20, windowSeconds: 3_600 }

/**
 * Every answer to a sign-up takes this long at least: making an account costs some writes that a known
 * address does not, and the difference would tell them apart.
 */
const SIGN_UP_MS = 500

const email = z.email().max(FIELD_LIMITS.email)
const newPassword = z.string().min(FIELD_LIMITS.passwordLeast).max(FIELD_LIMITS.passwordMost)
const SIGN_UP = z.object({ email, password: newPassword })
const SIGN_IN = z.object({ email, password: z.string().min(1).max(FIELD_LIMITS.passwordMost) })
const CLAIM = z.object({ token: z.string().min(1).max(100), password: newPassword })

/**
 * Signing up, in and out, and claiming an account with the operator's one-time link. Names are
 * better-auth's; no other route of it is open.
 */
export function authRoutes(server: FastifyInstance, desk: Desk): void {
  const { people, now } = desk
  const signIns = new Attempts(SIGN_INS)
  const signUps = new Attempts(SIGN_UPS)
  const hashing = createGate(2, 64)

  type Work = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Counts the attempt, then waits for a turn at hashing. */
  const guarded = (attempts: Attempts, work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const retryAfter = attempts.take(request.network, now())
    if (retryAfter > 0) return problem(reply, 'too many attempts', { retryAfter })
    const answer = await hashing.pass(() => work(request, reply))
    return answer === 'busy' ? problem(reply, 'busy') : answer
  }

  const signUp: Work = async (request, reply) => {
    const read = readInput(SIGN_UP, request.body, reply)
    if (!read.ok) return read.answer
    if (desk.settings.signup === 'closed') return problem(reply, 'sign-up closed')
    const answer = await people.ask('/sign-up/email', { ...read.input, name: '' }, forwarded(request))
    // Alike for a new address and a known one: better-auth's own answer holds an identifier.
    return answer.ok ? {} : problem(reply, 'internal error')
  }

  const signIn: Work = async (request, reply) => {
    const read = readInput(SIGN_IN, request.body, reply)
    if (!read.ok) return read.answer
    const answer = await people.ask('/sign-in/email', read.input, forwarded(request))
    if (answer.status === 401) return problem(reply, 'wrong credentials')
    if (!answer.ok) return problem(reply, answer.status === 403 ? 'foreign origin' : 'internal error')
    await people.sweep(now())
    // Its body is not sent on: the session's token stands in it, and no script shall read that.
    passCookies(answer, reply)
    return {}
  }

  const claim: Work = async (request, reply) => {
    const read = readInput(CLAIM, request.body, reply)
    if (!read.ok) return read.answer
    const accountId = await takeClaim(desk.database.kysely, read.input.token, now())
    const account = accountId === undefined ? undefined : await desk.store.accountById(accountId)
    if (account === undefined) return problem(reply, 'link expired')
    await people.setPassword(account, read.input.password)
    return { email: account.email } satisfies ClaimAnswer
  }

  const guardedSignUp = guarded(signUps, signUp)
  server.post(`${AUTH_PATH}/sign-up/email`, async (request, reply) => {
    const [answer] = await Promise.all([guardedSignUp(request, reply), pause(SIGN_UP_MS)])
    return answer
  })
  server.post(`${AUTH_PATH}/sign-in/email`, guarded(signIns, signIn))
  server.post(`${AUTH_PATH}/claim`, guarded(signIns, claim))
  server.post(`${AUTH_PATH}/sign-out`, async (request, reply) => {
    const answer = await people.ask('/sign-out', {}, forwarded(request))
    passCookies(answer, reply)
    return answer.ok ? {} : problem(reply, 'internal error')
  })
}

/** What better-auth needs of a request's headers; above all, none that speaks of a network address. */
function forwarded({ headers }: FastifyRequest): Headers {
  const passed = new Headers({ 'content-type': 'application/json' })
  if (headers.cookie !== undefined) passed.set('cookie', headers.cookie)
  if (headers.origin !== undefined) passed.set('origin', headers.origin)
  return passed
}

function passCookies(from: Response, to: FastifyReply): void {
  for (const cookie of from.headers.getSetCookie()) to.header('set-cookie', cookie)
}
