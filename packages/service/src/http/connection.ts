import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What is still being sent after an answer is taken in and thrown away, up to these bounds; then the line is cut. */
export const DRAIN: { readonly bytes: number; readonly milliseconds: number } = {
  bytes: 64 * 1_024 * 1_024,
  milliseconds: 10_000,
}

/** Requests of one connection that may wait behind the one that is served; with more, its socket is not read. */
const PIPELINED = 16

/** How often a client that closed its sending side is asked whether it still listens. */
const PROBE_MS = 500

/** One request and its answer, from its turn on the connection to the last byte. */
export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The client went away before it had its answer. */
  isGone = false
  /** The client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
  awaitsContinue: boolean
  /** Its last byte is out, or never will be. */
  isOver = false
  readonly #whenGone: (() => void)[] = []
  readonly #whenOver: (() => void)[] = []

  constructor(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) {
    this.request = request
    this.response = response
    this.awaitsContinue = awaitsContinue
  }

  /** Calls back once if the client goes away before it has its answer; at once if it is gone already. */
  whenGone(callback: () => void): void {
    if (this.isGone) callback()
    else this.#whenGone.push(callback)
  }

  /** Calls back once when the exchange is over, however it ends; at once if it is. */
  whenOver(callback: () => void): void {
    if (this.isOver) callback()
    else this.#whenOver.push(callback)
  }

  end(): void {
    this.isOver = true
    for (const callback of this.#whenOver.splice(0)) callback()
  }

  /** The connection is lost. */
  go(): void {
    if (this.isGone || this.response.writableFinished) return
    this.isGone = true
    for (const callback of this.#whenGone.splice(0)) callback()
  }
}

interface Turn {
  readonly exchange: Exchange
  readonly serve: () => void
}

/**
 * Reading stops only between two reads of a socket, and one read of 64 KB may bring thousands of requests. Those that
 * wait beyond `PIPELINED` share this bound, all connections together. Each holds some 4 KB.
 */
export class PipelineOverflow {
  readonly #limit: number
  #waiting = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** One more waits; false when there is no room for it. */
  enter(): boolean {
    this.#waiting += 1
    return this.#waiting <= this.#limit
  }

  leave(requests: number): void {
    this.#waiting -= requests
  }
}

/**
 * What one connection has under way. Pipelined requests are served one after the other, so that a
 * connection never holds more than one body, and so that whatever ends it (a hang-up, malformed bytes)
 * meets requests in a known order.
 */
export class Connection {
  readonly #socket: Socket
  readonly #overflow: PipelineOverflow
  readonly #turns: Turn[] = []
  #isDraining = false
  #isEnding = false
  /** What had been read when there was last nothing to do: more than that is the beginning of a request. */
  #bytesAtRest = 0
  #lastWords: string | undefined
  #bytesAtLastWords = 0

  constructor(socket: Socket, overflow: PipelineOverflow) {
    this.#socket = socket
    this.#overflow = overflow
    socket.on('close', () => {
      overflow.leave(Math.max(0, this.#turns.length - 1 - PIPELINED))
      for (const { exchange } of this.#turns.splice(0)) exchange.go()
    })
    socket.on('end', () => this.#probe())
    // Node reads on whenever a body is asked for, whatever else waits on the socket.
    socket.on('resume', () => {
      if (this.#isFull()) socket.pause()
    })
  }

  /** Serves the request as soon as those before it have their answers. */
  take(exchange: Exchange, serve: () => void): void {
    if (this.#socket.destroyed) return
    this.#turns.push({ exchange, serve })
    if (this.#isDraining) this.#announceEnd()
    exchange.response.once('close', () => {
      exchange.end()
      this.#finish(exchange)
    })
    if (this.#turns.length === 1) serve()
    else if (this.#isFull()) this.#hold()
  }

  #finish(exchange: Exchange): void {
    if (this.#turns[0]?.exchange !== exchange || this.#socket.destroyed) return
    if (this.#isOverflowing()) this.#overflow.leave(1)
    this.#turns.shift()
    if (!this.#isFull() && this.#socket.isPaused()) this.#socket.resume()
    const next = this.#turns[0]
    if (this.#lastWords !== undefined && !next?.exchange.request.complete) this.#sayLastWords(this.#lastWords)
    else if (next !== undefined) next.serve()
    else if (this.#isEnding) this.#socket.destroySoon()
    else this.#bytesAtRest = this.#socket.bytesRead
  }

  #isFull(): boolean {
    return this.#turns.length > PIPELINED
  }

  #isOverflowing(): boolean {
    return this.#turns.length - 1 > PIPELINED
  }

  #hold(): void {
    this.#socket.pause()
    if (this.#isOverflowing() && !this.#overflow.enter()) this.#socket.destroy()
  }

  /** From now on answers announce the end of the connection; requests are served as before. */
  drain(): void {
    this.#isDraining = true
    this.#announceEnd()
  }

  /** By the last answer that is known of: what follows one with `Connection: close` is never read. */
  #announceEnd(): void {
    const [last, before] = this.#turns.slice(-2).reverse()
    if (before !== undefined) before.exchange.response.shouldKeepAlive = true
    if (last !== undefined) last.exchange.response.shouldKeepAlive = false
  }

  /** Nothing crossed for a while. Work may take its time; idle connections and answers that nobody takes in may not. */
  stall(): void {
    const head = this.#turns[0]
    if (head === undefined || head.exchange.response.headersSent) this.#socket.destroy()
  }

  /** The server stops: the connection ends with the answers that are under way, at once without any. */
  endGracefully(): void {
    this.drain()
    this.#isEnding = true
    // Node does not count a connection as idle on which nothing was ever asked.
    if (this.#turns.length === 0 && this.#socket.bytesRead === this.#bytesAtRest) this.#socket.destroySoon()
  }

  /**
   * What came over the wire can't be understood, or came too slowly: requests that arrived whole get their
   * answers, then this raw response goes out and the connection ends.
   */
  breakOff(response: string): void {
    if (this.#lastWords !== undefined) {
      if (this.#socket.bytesRead - this.#bytesAtLastWords > DRAIN.bytes) this.#socket.destroy()
      return
    }
    this.#lastWords = response
    this.#bytesAtLastWords = this.#socket.bytesRead
    if (!this.#turns[0]?.exchange.request.complete) this.#sayLastWords(response)
  }

  /** Said in place of an answer to the request that is broken. If that one was answered already, nothing is left to say. */
  #sayLastWords(response: string): void {
    const broken = this.#turns[0]?.exchange
    const isAnswered = broken?.response.headersSent === true
    broken?.go()
    if (isAnswered || !this.#socket.writable) {
      this.#socket.destroy()
      return
    }
    // Not destroyed at once: a client that is still sending would see a reset instead of these words (RFC 9112, 9.6).
    this.#socket.end(response)
    const cut = setTimeout(() => this.#socket.destroy(), DRAIN.milliseconds)
    this.#socket.once('close', () => clearTimeout(cut))
  }

  /**
   * The client sends no more. Either it closed its sending side alone and waits for its answer, or it is
   * gone; TCP shows the difference only to who writes. So it is sent interim responses, which clients
   * skip (RFC 9110, 15.2) and a host that has closed the connection answers with a reset. All of them
   * skip 100; Python's takes any other for the answer.
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
