import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { declaredBytes } from './body.ts'
import { InputThrottle } from './input-throttle.ts'
import type { PipelineBacklog } from './pipeline-backlog.ts'

/**
 * After an early answer, the rest of the request is read and discarded within these bounds; then the connection is cut.
 */
export const DRAIN: { readonly bytes: number; readonly milliseconds: number } = {
  bytes: 64 * 1_024 * 1_024,
  milliseconds: 10_000,
}

/** Requests that may wait on a connection behind the one being served; beyond that, its input is not parsed. */
const PIPELINED = 16

/** Bytes parsed at a time: at most 911 requests. With 4 KB, bodies in chunks take a third more CPU. */
const SLICE_BYTES = 16_384

/** The same while the backlog is overloaded: at most 7 requests. */
const OVERLOADED_SLICE_BYTES = 128

/** How often a client that closed its sending side is probed. */
const PROBE_MS = 500

/** One request and its answer, from its turn on the connection to the last byte. */
export class HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client disconnected before it had its answer. */
  isDisconnected = false
  /** The client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
  awaitsContinue: boolean
  /** Its last byte has been sent, or never will be. */
  isFinished = false
  readonly #onDisconnect: (() => void)[] = []
  readonly #onFinish: (() => void)[] = []

  constructor(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.request = request
    this.response = response
    this.awaitsContinue = awaitsContinue
  }

  /** Calls back once if the client disconnects before it has its answer; at once if it is already gone. */
  onDisconnect(callback: () => void): void {
    if (this.isDisconnected) callback()
    else this.#onDisconnect.push(callback)
  }

  /** Calls back once when the exchange is over, however it ends; at once if it already is. */
  onFinish(callback: () => void): void {
    if (this.isFinished) callback()
    else this.#onFinish.push(callback)
  }

  finish(): void {
    this.isFinished = true
    for (const callback of this.#onFinish.splice(0)) callback()
  }

  /** The connection was lost. */
  disconnect(): void {
    if (this.isDisconnected || this.response.writableFinished) return
    this.isDisconnected = true
    for (const callback of this.#onDisconnect.splice(0)) callback()
  }
}

interface Turn {
  readonly exchange: HttpExchange
  readonly serve: () => void
}

/**
 * The requests of one connection. Pipelined requests are served one after another, so that a connection never holds
 * more than one body, and so that whatever ends it (disconnection, malformed bytes) affects requests in a known order.
 */
export class Connection {
  readonly #socket: Socket
  readonly #backlog: PipelineBacklog
  readonly #input: InputThrottle
  readonly #turns: Turn[] = []
  #isDraining = false
  #isEnding = false
  /** Bytes parsed when the connection was last idle; if more have been read since, a request has begun. */
  #bytesAtRest = 0
  #finalResponse: string | undefined

  constructor(socket: Socket, backlog: PipelineBacklog) {
    this.#socket = socket
    this.#backlog = backlog
    this.#input = new InputThrottle(socket, {
      isFull: () => this.#turns.length > (backlog.isOverloaded ? 1 : PIPELINED),
      sliceBytes: () => (backlog.isOverloaded ? OVERLOADED_SLICE_BYTES : SLICE_BYTES),
    })
    socket.on('close', () => {
      backlog.remove(Math.max(0, this.#turns.length - 1))
      for (const { exchange } of this.#turns.splice(0)) exchange.disconnect()
    })
    socket.on('end', () => this.#probe())
  }

  /** Serves the request once those before it have been answered. */
  take(exchange: HttpExchange, serve: () => void): void {
    if (this.#socket.destroyed) return
    this.#input.expectBody(declaredBytes(exchange.request) ?? 0)
    this.#turns.push({ exchange, serve })
    if (this.#isDraining) this.#announceEnd()
    exchange.response.once('close', () => {
      exchange.finish()
      this.#finish(exchange)
    })
    if (this.#turns.length === 1) serve()
    else this.#backlog.add()
  }

  #finish(exchange: HttpExchange): void {
    if (this.#turns[0]?.exchange !== exchange || this.#socket.destroyed) return
    this.#turns.shift()
    const next = this.#turns[0]
    if (next !== undefined) this.#backlog.remove(1)
    this.#input.resume()
    if (this.#finalResponse !== undefined && !next?.exchange.request.complete) this.#sendFinal(this.#finalResponse)
    else if (next !== undefined) this.#backlog.serveInTurn(() => this.#serveHead())
    else if (this.#isEnding) this.#socket.destroySoon()
    else this.#bytesAtRest = this.#input.bytesPassed
  }

  #serveHead(): void {
    const head = this.#turns[0]
    if (head !== undefined && !head.exchange.isDisconnected) head.serve()
  }

  /** From now on answers announce the end of the connection; requests are still served. */
  drain(): void {
    this.#isDraining = true
    this.#announceEnd()
  }

  /** In the last known answer, since nothing is read after one with `Connection: close`. */
  #announceEnd(): void {
    const [last, before] = this.#turns.slice(-2).reverse()
    if (before !== undefined) before.exchange.response.shouldKeepAlive = true
    if (last !== undefined) last.exchange.response.shouldKeepAlive = false
  }

  /**
   * Called after a period without traffic. Ends the connection if it is idle or its answer is not being read; work may
   * take as long as it needs.
   */
  onTimeout(): void {
    const head = this.#turns[0]
    if (head === undefined || head.exchange.response.headersSent) this.#socket.destroy()
  }

  /** Called on shutdown: ends the connection after the answers in progress, or at once if there are none. */
  endGracefully(): void {
    this.drain()
    this.#isEnding = true
    // Node does not count a connection without any request as idle.
    if (this.#turns.length === 0 && this.#socket.bytesRead === this.#bytesAtRest) this.#socket.destroySoon()
  }

  /**
   * The input is malformed or too slow: complete requests are answered, then this raw response is sent and the
   * connection ends.
   */
  failInput(response: string): void {
    if (this.#finalResponse !== undefined) return
    this.#finalResponse = response
    this.#input.discard(DRAIN.bytes)
    if (!this.#turns[0]?.exchange.request.complete) this.#sendFinal(response)
  }

  /** Sent as the answer to the broken request. If that was answered already, nothing is sent. */
  #sendFinal(response: string): void {
    const broken = this.#turns[0]?.exchange
    const isAnswered = broken?.response.headersSent === true
    broken?.disconnect()
    if (isAnswered || !this.#socket.writable) {
      this.#socket.destroy()
      return
    }
    // Not destroyed at once, or a client that is still sending would see a reset instead of the response (RFC 9112,
    // 9.6).
    this.#socket.end(response)
    const cut = setTimeout(() => this.#socket.destroy(), DRAIN.milliseconds)
    this.#socket.once('close', () => clearTimeout(cut))
  }

  /**
   * The client has stopped sending. It either closed only its sending side and waits for its answer, or is gone; with
   * TCP, only writing shows which. So interim responses are sent: clients skip them (RFC 9110, 15.2), and a host that
   * has closed the connection answers with a reset. All clients skip 100; Python's takes any other for the answer.
   */
  #probe(): void {
    const timer = setInterval(() => {
      const response = this.#turns[0]?.exchange.response
      if (response === undefined || response.headersSent || response.req.httpVersion === '1.0') return
      response.writeContinue()
    }, PROBE_MS)
    this.#socket.once('close', () => clearInterval(timer))
  }
}
