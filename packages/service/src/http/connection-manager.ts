import * as http from 'node:http'
import type { Socket } from 'node:net'
import { type Refusal, refuse } from '@keepfirst/protocol'
import type { Log } from '../observe/log.ts'
import { rawRefusal, sendReply } from './answer.ts'
import { type Api, isForApi } from './api.ts'
import { Connection, HttpExchange } from './connection.ts'
import { PipelineBacklog } from './pipeline-backlog.ts'

/**
 * The number of waiting requests beyond which connections read as little as possible; they take 8 MB (with small
 * headers) to 40 MB.
 */
const MAX_BACKLOG = 2_048

export interface ConnectionParts {
  readonly api: Api
  /** Handlers for paths that do not need the pages. */
  readonly probes: ReadonlyMap<string, http.RequestListener>
  readonly servePage: http.RequestListener
  readonly log: Log
  /** Sent with every answer outside the API, whoever gives it. */
  readonly pageHeaders: ReadonlyMap<string, string>
}

/** Accepts connections and requests and passes them to their handlers. */
export class ConnectionManager {
  readonly #parts: ConnectionParts
  readonly #connections = new Map<Socket, Connection>()
  readonly #backlog = new PipelineBacklog(MAX_BACKLOG)
  #state: 'serving' | 'draining' | 'refusing' = 'serving'

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  attachTo(node: http.Server): void {
    node.on('connection', (socket) => {
      const connection = new Connection(socket, this.#backlog)
      this.#connections.set(socket, connection)
      if (this.#state !== 'serving') connection.drain()
      socket.once('close', () => this.#connections.delete(socket))
    })
    node.on('request', (request, response) => this.#accept(request, response, false))
    node.on('checkContinue', (request, response) => this.#accept(request, response, true))
    node.on('timeout', (socket) => this.#connections.get(socket)?.onTimeout())
    node.on('clientError', (error, socket: Socket) => this.#rejectInput(error, socket))
    // Expectations other than 100-continue may be ignored (RFC 9110, 10.1.1); Node would answer 417.
    node.on('checkExpectation', (request, response) => this.#accept(request, response, false))
  }

  #accept(request: http.IncomingMessage, response: http.ServerResponse, awaitsContinue: boolean): void {
    const exchange = new HttpExchange(request, response, awaitsContinue)
    this.#connections.get(request.socket)?.take(exchange, () => this.#serve(exchange))
  }

  #serve(exchange: HttpExchange): void {
    const { request, response } = exchange
    request.url = originForm(request.url ?? '/')
    const path = /^[^?#]*/.exec(request.url)?.[0] ?? ''
    if (this.#state === 'refusing') this.#refuse(exchange)
    else if (!isAddressed(request)) sendReply(exchange, refuse.badRequest())
    else if (isForApi(path, request.method)) this.#parts.api(exchange, path)
    else {
      if (exchange.awaitsContinue) response.writeContinue()
      for (const [name, value] of this.#parts.pageHeaders) response.setHeader(name, value)
      const serve = this.#parts.probes.get(path) ?? this.#parts.servePage
      serve(request, response)
    }
  }

  /** Keeps serving, but answers now announce the end of their connections. */
  drain(): void {
    this.#state = 'draining'
    for (const connection of this.#connections.values()) connection.drain()
  }

  /** Ends connections after the answers in progress; requests received by then are served. */
  endConnections(): void {
    for (const connection of this.#connections.values()) connection.endGracefully()
  }

  /** Refuses requests from now on. */
  refuse(): void {
    this.#state = 'refusing'
  }

  #refuse(exchange: HttpExchange): void {
    const refusal = refuse.stopping()
    this.#parts.log.error({ status: refusal.status, error: refusal.body.error }, 'a request was not served')
    sendReply(exchange, refusal)
  }

  /** The input is not an HTTP request, is too large, or arrives too slowly. */
  #rejectInput(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
    else this.#connections.get(socket)?.failInput(rawRefusalFor(error.code))
  }
}

/**
 * HTTP/1.1 requires one `Host`, earlier versions none; two are always malformed (RFC 9112, 3.2). Counted as received,
 * since Node drops repeated ones.
 */
function isAddressed({ rawHeaders, httpVersion }: http.IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

/** A request target in absolute form (RFC 9112, 3.2.2) without its scheme and authority. */
function originForm(target: string): string {
  const path = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1]
  return path === undefined ? target : path.startsWith('/') ? path : `/${path}`
}

/** The raw answer to input that Node rejects with this code. */
function rawRefusalFor(code: string | undefined): string {
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
