import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from './answers.ts'

/**
 * Origins whose pages may act for a user: that of the public address. If that is a loopback name (the default), both
 * loopback names are trusted, since people type either.
 */
export function trustedOrigins(baseUrl: string): readonly string[] {
  const base = new URL(baseUrl)
  const loopback = ['localhost', '127.0.0.1']
  if (!loopback.includes(base.hostname)) return [base.origin]
  return loopback.map((name) => {
    base.hostname = name
    return base.origin
  })
}

/**
 * A hook that refuses requests from other sites' pages. Browsers send the page's origin with every POST, so a request
 * without one is accepted only if it has no cookie.
 */
export function refuseForeignOrigins(
  trusted: readonly string[],
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return undefined
    const { origin, cookie } = request.headers
    const ours = origin === undefined ? cookie === undefined : trusted.includes(origin)
    return ours ? undefined : reply.send(problem(reply, 'foreign origin'))
  }
}
