import type { Socket } from 'node:net'

/** How much of a connection's input may be parsed. */
export interface InputLimits {
  /** Whether nothing more may be parsed for now; `resume` is called when that changes. */
  readonly isFull: () => boolean
  /** Bytes to parse at a time. A request has at least 18: `GET / HTTP/1.1` and two line breaks. */
  readonly sliceBytes: () => number
}

/**
 * Passes the input of a socket to Node's parser in slices. By default, Node parses everything that one read returns: up
 * to 64 KB, which can be thousands of requests. In one turn of the event loop it does so for every connection, and
 * nothing could stop it in between.
 */
export class InputThrottle {
  readonly #socket: Socket
  readonly #limits: InputLimits
  readonly #parse: (bytes: Buffer) => void
  /** At most this many bytes of the current body have not arrived yet. */
  #bodyBytes = 0
  #bytesPassed = 0
  /** If defined, input is no longer parsed, and this many more bytes are accepted. */
  #bytesToDiscard: number | undefined

  /**
   * @param socket one that an `http.Server` already listens to
   * @throws Error when no server listens to it
   */
  constructor(socket: Socket, limits: InputLimits) {
    this.#socket = socket
    this.#limits = limits
    const [parse] = socket.listeners('data')
    if (parse === undefined) throw new Error('no server listens to this socket')
    this.#parse = (bytes) => void Reflect.apply(parse, socket, [bytes])
    socket.removeAllListeners('data')
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('drain', () => this.resume())
  }

  /** The number of bytes that have been passed to the parser. */
  get bytesPassed(): number {
    return this.#bytesPassed
  }

  /** Called when a request with a body of this length begins: that many bytes contain no other request. */
  expectBody(bytes: number): void {
    this.#bodyBytes = bytes
  }

  /** Discards all further input; after more than this many bytes, closes the connection. */
  discard(bytes: number): void {
    this.#bytesToDiscard = bytes
  }

  /** Continues if more may be parsed again. */
  resume(): void {
    // While the client does not read its answers, Node pauses its parser, which must not get any input then.
    if (this.#socket.isPaused() && !this.#limits.isFull() && !this.#socket.writableNeedDrain) this.#socket.resume()
  }

  #take(bytes: Buffer): void {
    if (this.#bytesToDiscard === undefined) this.#pass(bytes)
    else {
      this.#bytesToDiscard -= bytes.length
      if (this.#bytesToDiscard < 0) this.#socket.destroy()
    }
  }

  #pass(bytes: Buffer): void {
    let start = 0
    while (start < bytes.length && !this.#socket.destroyed && this.#bytesToDiscard === undefined) {
      if (this.#limits.isFull() || this.#socket.isPaused()) {
        this.#socket.pause()
        this.#socket.unshift(bytes.subarray(start))
        return
      }
      const end = Math.min(bytes.length, start + Math.max(this.#bodyBytes, this.#limits.sliceBytes()))
      this.#bodyBytes = Math.max(0, this.#bodyBytes - (end - start))
      this.#bytesPassed += end - start
      this.#parse(end - start === bytes.length ? bytes : bytes.subarray(start, end))
      start = end
    }
  }
}
