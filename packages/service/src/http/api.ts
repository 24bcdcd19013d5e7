import type { IncomingMessage } from 'node:http'
import { refuse } from '@keepfirst/protocol'
import { ClientDisconnected } from '../client-connection.ts'
import type { Log } from '../observe/log.ts'
import type { Call, Reply } from '../requests/call.ts'
import { sendPreflight, sendReply } from './answer.ts'
import { collectBody, declaredBytes } from './body.ts'
import { BufferPool } from './buffer-pool.ts'
import type { HttpExchange } from './connection.ts'
import { type MemoryBudget, MemoryReservation } from './memory-budget.ts'

/** Serves one request to the API; never rejects. */
export type Api = (exchange: HttpExchange, path: string) => void

export interface ApiParts {
  /** The handler of `POST` for each path. */
  readonly routes: ReadonlyMap<string, (call: Call) => Promise<Reply>>
  readonly baseUrl: string
  readonly networkOf: (request: IncomingMessage) => string
  readonly memory: MemoryBudget
  readonly newRequestId: () => string
  readonly log: Log
}

/** Whether a request belongs to the API; reading its description, or `/api` itself, is reading a page. */
export function isForApi(path: string, method: string | undefined): boolean {
  if (path === '/api/openapi.json') return method !== 'GET' && method !== 'HEAD'
  return path.startsWith('/api/')
}

/** The API over HTTP: methods and headers of specification 4, with the request pipeline behind them. */
export function createApi(given: ApiParts): Api {
  const parts = { ...given, buffers: new BufferPool() }
  return (exchange, path) => {
    const handle = parts.routes.get(path)
    const { method } = exchange.request
    if (handle === undefined) sendReply(exchange, refuse.notFound())
    else if (method === 'POST') void answer(exchange, handle, parts)
    else if (method === 'OPTIONS') sendPreflight(exchange)
    else sendReply(exchange, refuse.methodNotAllowed(parts.baseUrl))
  }
}

interface CallParts extends Pick<ApiParts, 'networkOf' | 'memory' | 'newRequestId' | 'log'> {
  readonly buffers: BufferPool
}

async function answer(exchange: HttpExchange, handle: (call: Call) => Promise<Reply>, parts: CallParts): Promise<void> {
  const call = new HttpCall(exchange, parts)
  try {
    const reply = await handle(call)
    sendReply(exchange, reply)
    if (reply.kind === 'result') call.recycle(reply.body.buffer)
  } catch (error) {
    parts.log.error({ err: error, requestId: call.requestId }, 'a request failed')
    sendReply(exchange, refuse.internal())
  } finally {
    call.end()
  }
}

/** A request as the pipeline sees it; most of it is computed only on demand. */
class HttpCall implements Call {
  readonly requestId: string
  readonly #exchange: HttpExchange
  readonly #parts: CallParts
  readonly #reservation: MemoryReservation
  #controller: AbortController | undefined

  constructor(exchange: HttpExchange, parts: CallParts) {
    this.requestId = parts.newRequestId()
    this.#exchange = exchange
    this.#parts = parts
    this.#reservation = new MemoryReservation(parts.memory)
  }

  get authorization(): string | undefined {
    return this.#exchange.request.headers.authorization
  }

  get apiKey(): string | undefined {
    const apiKey = this.#exchange.request.headers['x-api-key']
    return Array.isArray(apiKey) ? apiKey.join(', ') : apiKey
  }

  get network(): string {
    return this.#parts.networkOf(this.#exchange.request)
  }

  get declaredBytes(): number | undefined {
    return declaredBytes(this.#exchange.request)
  }

  readBody(limitBytes: number, caller: string): Promise<Uint8Array<ArrayBuffer> | 'over' | 'busy'> {
    this.#reservation.caller = caller
    const exchange = this.#exchange
    if (exchange.awaitsContinue) {
      exchange.awaitsContinue = false
      exchange.response.writeContinue()
    }
    return collectBody(exchange, { limitBytes, reservation: this.#reservation, buffers: this.#parts.buffers })
  }

  reserveMemory(bytes: number): boolean {
    return this.#reservation.grow(bytes)
  }

  get aborted(): boolean {
    return this.#exchange.isDisconnected
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController()
      this.#controller = controller
      this.#exchange.onDisconnect(() => controller.abort(new ClientDisconnected()))
    }
    return this.#controller.signal
  }

  /** Recycles the answer's buffer, which is free once the answer has been sent. */
  recycle(buffer: ArrayBuffer): void {
    const { response } = this.#exchange
    this.#exchange.onFinish(() => {
      if (response.writableFinished) this.#parts.buffers.give(buffer)
    })
  }

  /** The work for this request has ended. */
  end(): void {
    this.#exchange.onFinish(() => this.#reservation.release())
  }
}
