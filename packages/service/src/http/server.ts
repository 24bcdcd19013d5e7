import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyPluginAsync } from 'fastify'
import { maxConnections } from '../limits/max-connections.ts'
import type { Log } from '../observe/log.ts'
import type { Api } from './api.ts'
import { ConnectionManager } from './connection-manager.ts'
import { LazyPages } from './lazy-pages.ts'

export interface ServerParts {
  readonly api: Api
  /** Handlers for paths that do not need the pages. */
  readonly probes: ReadonlyMap<string, http.RequestListener>
  /** Everything else, as a Fastify plugin; called on the first request for a page. */
  readonly pages: () => Promise<FastifyPluginAsync>
  /** Sent with every answer outside the API. */
  readonly pageHeaders: ReadonlyMap<string, string>
  readonly networkOf: (request: http.IncomingMessage) => string
  readonly log: Log
  readonly timeouts?: Timeouts
}

/** How long a client may take to send its headers and its whole request, and how long it may leave an answer unread. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  readonly stalledMs: number
  readonly checkEveryMs: number
}

// 5 MB in two minutes is 350 kbit/s: enough for slow lines, but a client that sends a byte a second is soon cut off.
const TIMEOUTS: Timeouts = { headersMs: 15_000, requestMs: 120_000, stalledMs: 60_000, checkEveryMs: 1_000 }

/** Longer than proxies usually keep idle connections (60 s), so that the proxy is the one to close them. */
const KEEP_ALIVE_MS = 72_000

const HEADER_BYTES = 16 * 1_024

/** The server: the API on plain node:http, the pages on Fastify, both behind one socket. */
export interface Server {
  /**
   * @returns the address that it listens on
   * @throws Error when it cannot listen there (the system's error, with its code)
   */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Resolves when all connections have ended. */
  stop(stop: GracefulStop): Promise<void>
}

/** The phases of a shutdown, in order. */
export interface GracefulStop {
  /** How long to keep serving while answers announce the end of their connections. */
  readonly drainMs: number
  /** Then no more connections are accepted, and requests in progress may take this long to complete. */
  readonly graceMs: number
  /** Then this is called to end long work. */
  readonly endWork: () => void
  /** Finally, answers may take this long to be sent before connections are cut. */
  readonly lastCallMs: number
}

/** Connects the API and the pages to one Node server. */
export function createServer(parts: ServerParts): Server {
  const { headersMs, requestMs, stalledMs, checkEveryMs } = parts.timeouts ?? TIMEOUTS
  const node = http.createServer({
    requireHostHeader: false, // otherwise Node itself answers requests without one, and not as the API does
    maxHeaderSize: HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
  })
  node.timeout = stalledMs
  node.maxConnections = maxConnections()
  node.maxHeadersCount = 0 // the header's size is limited; limiting the count would silently drop headers
  // A client that closes its sending side still gets its answer. Node has the option, but its types do not.
  Object.assign(node, { httpAllowHalfOpen: true })

  const pages = new LazyPages(parts)
  const connections = new ConnectionManager({ ...parts, servePage: pages.serve })
  connections.attachTo(node)
  return {
    async listen(port, host) {
      node.listen(port, host)
      await once(node, 'listening')
      const address = node.address()
      if (address === null || typeof address === 'string') throw new Error('the server is not listening on a port')
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

/** Closes idle connections; the others end after their answers, or are cut after the last call. */
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
