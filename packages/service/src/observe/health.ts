import type { FastifyPluginAsync } from 'fastify'
import type { Store } from '../store/store.ts'

/** `/healthz`: the process runs. `/readyz`: the database can be written. */
export function health(store: Store): FastifyPluginAsync {
  return async (server) => {
    server.get('/healthz', async () => ({ status: 'ok' }))
    server.get('/readyz', async (_request, reply) => {
      const isReady = await store.ready().then(
        () => true,
        () => false,
      )
      return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'the database does not answer' })
    })
  }
}
