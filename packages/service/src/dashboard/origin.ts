import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from './answers.ts'

/**
 * Origins whose pages may act for a person: the public address's own. While it is a loopback name (as by
 * default), both loopback names are, since people type either.
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
 * A hook that turns away what another site's page sends. A browser names the page's origin whenever it
 * posts; a program that names none has no cookie of anybody's either.
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
