import type { ProblemAnswer } from '@keepfirst/protocol'
import type { FastifyReply } from 'fastify'
import { problem } from './answers.ts'
import type { DashboardContext } from './context.ts'

/**
 * Takes an attempt at the password of an address before it is hashed.
 * @returns undefined, or the answer to send instead: too many were tried, or the server has too many to hash. What is not
 * going to be tried is not counted either; counting it would cost nothing and push out what is remembered of others.
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
