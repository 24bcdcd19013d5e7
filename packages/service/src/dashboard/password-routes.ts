import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { problem, readInput } from './answers.ts'
import { forwarded, passCookies, withCookiesOf } from './auth-headers.ts'
import { AUTH_PATH } from './auth-service.ts'
import type { DashboardContext } from './context.ts'
import { NEW_PASSWORD, PASSWORD } from './fields.ts'
import { isCommonPassword } from './passwords.ts'
import { forAccount } from './signed-in.ts'
import { takeAttempt } from './take-attempt.ts'

const CHANGE = z.object({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
const DELETE = z.object({ password: PASSWORD })

/**
 * Actions of signed-in users on their own account. Someone who has a session but not the password can only end
 * sessions; wrong passwords count as failed sign-ins.
 */
export function passwordRoutes(server: FastifyInstance, context: DashboardContext): void {
  const { authService, store, now, limiter, hashing } = context

  const changePassword = forAccount(context, async (account, request, reply) => {
    const read = readInput(CHANGE, request.body, reply)
    if (!read.ok) return read.answer
    if (isCommonPassword(read.input.newPassword, account.email)) return problem(reply, 'common password')
    const refused = takeAttempt(context, { network: request.network, email: account.email }, reply)
    if (refused !== undefined) return refused
    const change = { ...read.input, revokeOtherSessions: true }
    const answer = await hashing.run(request.network, () =>
      authService.post('/change-password', change, forwarded(request)),
    )
    if (answer === 'busy') return problem(reply, 'busy')
    if (answer.status === 400) return problem(reply, 'wrong credentials')
    if (!answer.ok) return problem(reply, answer.status === 401 ? 'signed out' : 'internal error')
    const { claimedAt } = (await store.accountById(account.id)) ?? {}
    if (claimedAt !== account.claimedAt) {
      // The account was claimed while the old password was being checked, so the session that better-auth just started
      // must end.
      await authService.signOut(withCookiesOf(answer, forwarded(request)))
      return problem(reply, 'signed out')
    }
    limiter.succeeded(request.network, account.email)
    passCookies(answer, reply)
    return {}
  })

  const deleteAccount = forAccount(context, async (account, request, reply) => {
    const read = readInput(DELETE, request.body, reply)
    if (!read.ok) return read.answer
    const refused = takeAttempt(context, { network: request.network, email: account.email }, reply)
    if (refused !== undefined) return refused
    const isTheirs = await hashing.run(request.network, () =>
      authService.isPassword(read.input.password, forwarded(request)),
    )
    if (isTheirs === 'busy') return problem(reply, 'busy')
    if (!isTheirs) return problem(reply, 'wrong credentials')
    await store.deleteAccount(account.id, now())
    limiter.forget(account.email)
    passCookies(await authService.post('/sign-out', {}, forwarded(request)), reply)
    return {}
  })

  const signOutEverywhere = forAccount(context, async (_account, request, reply) => {
    const answer = await authService.post('/revoke-sessions', {}, forwarded(request))
    if (!answer.ok) return problem(reply, answer.status === 401 ? 'signed out' : 'internal error')
    passCookies(answer, reply)
    return {}
  })

  server.post('/app/account/password', changePassword)
  server.post('/app/account/delete', deleteAccount)
  server.post(`${AUTH_PATH}/sign-out-everywhere`, signOutEverywhere)
}
