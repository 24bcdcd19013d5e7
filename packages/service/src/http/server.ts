import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import type { Log } from '../observe/log.ts'
import type { Api } from './api.ts'
import { ConnectionManager } from './connection-manager.ts'
import { LazyPages } from './lazy-pages.ts'

export interface ServerParts {
  readonly api: Api
  /** What is answered without the pages, by path. */
  readonly probes: ReadonlyMap<string, http.RequestListener>
  /** Everything else, as a plugin of Fastify; called when the first page is asked for. */
  readonly pages: () => Promise<FastifyPluginAsync>
  readonly networkOf: (request: http.IncomingMessage) => string
  readonly log: Log
  readonly timeouts?: Timeouts
}

/** How long a client may take to send its headers, and its whole request, and how long to take in nothing of its answer. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  readonly stalledMs: number
  readonly checkEveryMs: number
}

// 5 MB in two minutes is 350 kbit/s: slow lines pass, and whoever sends a byte a second does not hold a body for long.
const TIMEOUTS: Timeouts = { headersMs: 15_000, requestMs: 120_000, stalledMs: 60_000, checkEveryMs: 1_000 }

/** Longer than proxies keep their side of an idle connection (60 s as a rule), so that it is they who close it. */
const KEEP_ALIVE_MS = 72_000

const HEADER_BYTES = 16 * 1_024

/** The server: the API on bare node:http, the pages on Fastify, both behind one socket. */
export interface Server {
  /** @returns where it listens */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Ends when all connections have. */
  stop(stop: GracefulStop): Promise<void>
}

/** How a stop goes, in this order. */
export interface GracefulStop {
  /** For this long everything is served as before, and answers announce the end of their connections. */
  readonly drainMs: number
  /** Then nobody can connect any more; requests under way may take this long to end by themselves. */
  readonly graceMs: number
  /** Then long work is told to end, */
  readonly endWork: () => void
  /** and its answers have this long to get out before connections are cut. */
  readonly lastCallMs: number
}

/** Wires the API and the pages to one node server. */
export function createServer(parts: ServerParts): Server {
  const { headersMs, requestMs, stalledMs, checkEveryMs } = parts.timeouts ?? TIMEOUTS
  const node = http.createServer({
    requireHostHeader: false, // else Node answers in our place
    maxHeaderSize: HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
  })
  node.timeout = stalledMs
  node.maxHeadersCount = 0 // bytes are bounded; a bound on the count would drop headers silently
  // A client that closes its sending side still gets its answer. Node has the option, its types don't.
  Object.assign(node, { httpAllowHalfOpen: true })

  const pages = new LazyPages(parts)
  const connections = new ConnectionManager({ ...parts, servePage: pages.serve })
  connections.attend(node)
  return {
    async listen(port, host) {
      node.listen(port, host)
      await once(node, 'listening')
      const address = node.address()
      if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
      return address
    },
    async stop(stop) {
      connections.drain()
      if (stop.drainMs > 0) await pause(stop.drainMs)
      await closeGracefully(node, connections, stop)
      await pages.close()
    },
  }
}

/** Closes idle connections; the others end with their answers, or are cut after the last call. */
async function closeGracefully(
  node: http.Server,
  connections: ConnectionManager,
  { graceMs, endWork, lastCallMs }: GracefulStop,
): Promise<void> {
  const closed = new Promise<void>((resolve) => node.close(() => resolve()))
  connections.endConnections()
  const grace = setTimeout(() => {
    connections.refuse()
    endWork()
  }, graceMs)
  const cut = setTimeout(() => node.closeAllConnections(), graceMs + lastCallMs)
  await closed
  clearTimeout(grace)
  clearTimeout(cut)
}
