import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../store/store.ts'
import { problem } from './answers.ts'
import type { DashboardContext } from './context.ts'

/** The account of the user who sent this request's cookie. */
export async function signedIn(
  { authService, store }: DashboardContext,
  request: FastifyRequest,
): Promise<Account | undefined> {
  const user = await authService.userOfSession(request.headers.cookie)
  return user === undefined ? undefined : store.accountById(user.accountId)
}

type ForAccount = (account: Account, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Wraps a handler for signed-in users; others are told that they are not signed in. */
export function forAccount(context: DashboardContext, work: ForAccount) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const account = await signedIn(context, request)
    return account === undefined ? problem(reply, 'signed out') : work(account, request, reply)
  }
}
