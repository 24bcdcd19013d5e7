import type { ProblemAnswer } from '@keepfirst/protocol'
import type { FastifyReply } from 'fastify'
import { problem } from './answers.ts'
import type { DashboardContext } from './context.ts'

/**
 * Counts an attempt at the password of an address before the password is hashed.
 * @returns undefined, or the answer to send instead: too many attempts, or too many passwords waiting to be hashed.
 * Attempts that are not carried out are not counted; counting them would only displace what is remembered about others.
 */
export function takeAttempt(
  { hashing, limiter }: DashboardContext,
  { network, email }: { readonly network: string; readonly email: string },
  reply: FastifyReply,
): ProblemAnswer | undefined {
  if (hashing.isFullFor(network)) return problem(reply, 'busy')
  const retryAfter = limiter.take(network, email)
  return retryAfter > 0 ? problem(reply, 'too many attempts', { retryAfter }) : undefined
}
