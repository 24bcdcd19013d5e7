import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify'

/** How many requests may be in progress at the same time. */
export interface ConcurrencyLimit {
  readonly ofOneNetwork: number
  readonly inAll: number
}

/** A hook that answers requests beyond the limit with `refuse` at once. */
export function limitConcurrency(
  { ofOneNetwork, inAll }: ConcurrencyLimit,
  refuse: (reply: FastifyReply) => unknown,
): onRequestAsyncHookHandler {
  const underWay = new Map<string, number>()
  let all = 0

  return async ({ network }, reply) => {
    const own = underWay.get(network) ?? 0
    if (own >= ofOneNetwork || all >= inAll) return reply.send(refuse(reply))
    underWay.set(network, own + 1)
    all += 1
    reply.raw.once('close', () => {
      all -= 1
      const left = (underWay.get(network) ?? 1) - 1
      if (left === 0) underWay.delete(network)
      else underWay.set(network, left)
    })
  }
}
