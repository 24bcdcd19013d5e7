import type { FastifyPluginAsync } from 'fastify'
import type { Store } from '../store/store.ts'

/** `/healthz`: the process runs. `/readyz`: the database can be written, and no stop is under way. */
export function health(store: Store, isStopping: () => boolean): FastifyPluginAsync {
  return async (server) => {
    server.get('/healthz', async () => ({ status: 'ok' }))
    server.get('/readyz', async (_request, reply) => {
      if (isStopping()) return reply.code(503).send({ status: 'stopping' })
      const isReady = await store.ready().then(
        () => true,
        () => false,
      )
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'the database does not answer' })
    })
  }
}
