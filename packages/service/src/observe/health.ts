import type { FastifyPluginAsync } from 'fastify'
import type { Store } from '../store/store.ts'
import type { Log } from './log.ts'

/**
 * `/healthz`: the process runs. `/readyz`: a commit reaches the disk (proven at most once a second, whoever asks), and
 * no stop is under way. `backlog` is what waits to be written.
 */
export function health(
  store: Pick<Store, 'ready' | 'ledgerState'>,
  log: Log,
  isStopping: () => boolean,
): FastifyPluginAsync {
  let wasReady = true
  const isWritable = async (): Promise<boolean> => {
    try {
      await store.ready()
      if (!wasReady) log.info('the database can be written again')
      wasReady = true
    } catch (err) {
      if (wasReady) log.error({ err }, 'the database can not be written')
      wasReady = false
    }
    return wasReady
  }
  return async (server) => {
    server.get('/healthz', async () => ({ status: 'ok' }))
    server.get('/readyz', async (_request, reply) => {
      if (isStopping()) return reply.code(503).send({ status: 'stopping' })
      const backlog = store.ledgerState()
      if (await isWritable()) return { status: 'ready', backlog }
      return reply.code(503).send({ status: 'the database does not answer', backlog })
    })
  }
}
