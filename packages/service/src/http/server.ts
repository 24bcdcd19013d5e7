import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Refusal, refuse } from '@keepfirst/protocol'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Log } from '../observe/log.ts'
import { rawRefusal, sendReply } from './answer.ts'
import { type Api, isApiPath } from './api.ts'
import { Connection, Exchange } from './connection.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's IPv4 address or IPv6 /64 network, in one canonical spelling. */
    readonly network: string
  }
}

export interface ServerParts {
  readonly api: Api
  /** Everything that is no API route, as plugins of Fastify. */
  readonly pages: readonly FastifyPluginAsync[]
  readonly networkOf: (request: http.IncomingMessage) => string
  readonly log: Log
  readonly patience?: Patience
}

/** How long a client may take to send its headers, and its whole request, and how long to take in nothing of its answer. */
export interface Patience {
  readonly headersMs: number
  readonly requestMs: number
  readonly stalledMs: number
  readonly checkEveryMs: number
}

// 5 MB in two minutes is 350 kbit/s: slow lines pass, and whoever sends a byte a second does not hold a body for long.
const PATIENCE: Patience = { headersMs: 15_000, requestMs: 120_000, stalledMs: 60_000, checkEveryMs: 1_000 }

/** Longer than proxies keep their side of an idle connection (60 s as a rule), so that it is they who close it. */
const KEEP_ALIVE_MS = 72_000

const HEADER_BYTES = 16 * 1_024

/** The server: the API on bare node:http, the pages on Fastify, both behind one socket. */
export interface Server {
  /** @returns where it listens */
  listen(port: number, host: string): Promise<AddressInfo>
  /** Refuses what is new, answers what is under way, and ends when all connections have. */
  stop(ending: GracefulStop): Promise<void>
}

interface GracefulStop {
  /** How long requests under way may take to end by themselves. */
  readonly graceMs: number
  /** Then tells long work to end, */
  readonly endWork: () => void
  /** and its answers have this long to get out before connections are cut. */
  readonly lastCallMs: number
}

/** Wires the API and the pages to one node server. */
export async function createServer(parts: ServerParts): Promise<Server> {
  const { headersMs, requestMs, stalledMs, checkEveryMs } = parts.patience ?? PATIENCE
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

  const reception = new Reception(parts.api)
  const pages = await preparePages(node, reception, parts)
  reception.attend(node)
  return {
    async listen(port, host) {
      node.listen(port, host)
      await once(node, 'listening')
      const address = node.address()
      if (address === null || typeof address === 'string') throw new Error('the server listens on no port')
      return address
    },
    async stop(ending) {
      reception.stop()
      await closeGracefully(node, ending)
      await pages.close()
    },
  }
}

async function preparePages(node: http.Server, reception: Reception, parts: ServerParts): Promise<FastifyInstance> {
  const pages = Fastify({
    serverFactory(handler) {
      reception.servePage = handler
      return node
    },
    clientErrorHandler: (error, socket) => reception.turnAway(error, socket),
  })
  pages.decorateRequest('network', {
    getter() {
      return parts.networkOf(this.raw)
    },
  })
  pages.setErrorHandler((error: { readonly statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500
    // The route, not the address that was asked for: that may hold anything.
    if (status >= 500) parts.log.error({ err: error, route: request.routeOptions.url }, 'a page failed')
    const refusal = status >= 500 ? refuse.internal() : refuse.badRequest()
    return reply.code(status).send(refusal.body)
  })
  for (const plugin of parts.pages) await pages.register(plugin)
  await pages.ready()
  return pages
}

/** Where connections and requests come in, and who serves them. */
class Reception {
  servePage: http.RequestListener = () => {}
  readonly #api: Api
  readonly #connections = new Map<Socket, Connection>()
  #isStopping = false

  constructor(api: Api) {
    this.#api = api
  }

  attend(node: http.Server): void {
    node.on('connection', (socket) => {
      this.#connections.set(socket, new Connection(socket))
      socket.once('close', () => this.#connections.delete(socket))
    })
    node.on('request', (request, response) => this.#welcome(request, response, false))
    node.on('checkContinue', (request, response) => this.#welcome(request, response, true))
    node.on('timeout', (socket) => this.#connections.get(socket)?.stall())
    // Another expectation than 100-continue may be ignored (RFC 9110, 10.1.1); Node would answer 417.
    node.on('checkExpectation', (request, response) => this.#welcome(request, response, false))
  }

  #welcome(request: http.IncomingMessage, response: http.ServerResponse, awaitsContinue: boolean): void {
    const exchange = new Exchange(request, response, awaitsContinue)
    this.#connections.get(request.socket)?.take(exchange, () => this.#serve(exchange))
  }

  #serve(exchange: Exchange): void {
    const { request, response } = exchange
    request.url = originForm(request.url ?? '/')
    const path = /^[^?#]*/.exec(request.url)?.[0] ?? ''
    if (this.#isStopping) sendReply(exchange, refuse.stopping())
    else if (isApiPath(path)) this.#api(exchange, path)
    else {
      if (exchange.awaitsContinue) response.writeContinue()
      this.servePage(request, response)
    }
  }

  /** What is under way is answered; what comes now is refused. */
  stop(): void {
    this.#isStopping = true
    for (const connection of this.#connections.values()) connection.endGracefully()
  }

  /** What came is no HTTP request, is too large or too slow. */
  turnAway(error: { readonly code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else this.#connections.get(socket)?.breakOff(lastWordsFor(error.code))
  }
}

/** The absolute form of a request target (RFC 9112, 3.2.2) without its scheme and authority. */
function originForm(target: string): string {
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1]
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`
}

function lastWordsFor(code: string | undefined): string {
  const say = (refusal: Refusal): string => rawRefusal(refusal, http.STATUS_CODES[refusal.status] ?? '')
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return say(refuse.headersTooLarge())
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return say(refuse.timedOut())
    default:
      return say(refuse.badRequest())
  }
}

/** Stops accepting and closes idle connections; the others end with their answers, or are cut after the last call. */
async function closeGracefully(node: http.Server, { graceMs, endWork, lastCallMs }: GracefulStop): Promise<void> {
  const closed = new Promise<void>((resolve) => node.close(() => resolve()))
  const grace = setTimeout(endWork, graceMs)
  const cut = setTimeout(() => node.closeAllConnections(), graceMs + lastCallMs)
  await closed
  clearTimeout(grace)
  clearTimeout(cut)
}
