import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify'

/** How many requests may be in progress at the same time. */
export interface ConcurrencyLimit {
  readonly perNetwork: number
  readonly total: number
}

/** A hook that answers requests beyond the limit with `refuse` at once. */
export function limitConcurrency(
  { perNetwork, total }: ConcurrencyLimit,
  refuse: (reply: FastifyReply) => unknown,
): onRequestAsyncHookHandler {
  const inProgress = new Map<string, number>()
  let all = 0

  return async ({ network }, reply) => {
    const own = inProgress.get(network) ?? 0
    if (own >= perNetwork || all >= total) return reply.send(refuse(reply))
    inProgress.set(network, own + 1)
    all += 1
    reply.raw.once('close', () => {
      all -= 1
      const left = (inProgress.get(network) ?? 1) - 1
      if (left === 0) inProgress.delete(network)
      else inProgress.set(network, left)
    })
  }
}
