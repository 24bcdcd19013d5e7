import type { IncomingMessage } from 'node:http'
import { refuse } from '@keepfirst/protocol'
import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Log } from '../observe/log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's IPv4 address or IPv6 /64 network, in canonical form. */
    readonly network: string
  }
}

export interface PagesParts {
  readonly pages: () => Promise<FastifyPluginAsync>
  readonly networkOf: (request: IncomingMessage) => string
  readonly log: Log
}

/** Creates the pages as a Fastify instance that does not listen: requests are passed to its `routing`. */
export async function openPages({ networkOf, log, pages: load }: PagesParts): Promise<FastifyInstance> {
  const pages = Fastify({
    // Replaces Fastify's own answer to a path that cannot be decoded.
    frameworkErrors(_error, _request, reply: FastifyReply) {
      reply.code(400).send(refuse.badRequest().body)
    },
  })
  pages.decorateRequest('network', {
    getter() {
      return networkOf(this.raw)
    },
  })
  pages.setErrorHandler((error: { readonly statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) logFault(error, request, log)
    const refusal = status >= 500 ? refuse.internal() : refuse.badRequest()
    return reply.code(status).send(refusal.body)
  })
  await pages.register(await load())
  await pages.ready()
  return pages
}

/** Logs that a page failed, unless the cause is the visitor's connection. */
export function logFault(error: unknown, request: FastifyRequest, log: Log): void {
  if (request.raw.socket.destroyed) return
  // The route rather than the requested path, which may contain anything.
  log.error({ err: error, route: request.routeOptions.url }, 'a page failed')
}
