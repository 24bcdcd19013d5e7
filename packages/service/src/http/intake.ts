import type { Socket } from 'node:net'

/** What decides how much of what a connection sends is taken in. */
export interface IntakeTerms {
  /** Nothing more may be taken in for now; `resume` is called when that changes. */
  readonly isFull: () => boolean
  /** Bytes that are passed on at a time. A request has at least 18: `GET / HTTP/1.1` and two line ends. */
  readonly sliceBytes: () => number
}

/**
 * Passes what a socket reads to Node's parser, slice by slice. Node by itself parses all that one read brings, up to
 * 64 KB and so thousands of requests, and in one turn of the event loop it reads from every connection; nothing could
 * stop it in between.
 */
export class Intake {
  readonly #socket: Socket
  readonly #terms: IntakeTerms
  readonly #parse: (bytes: Buffer) => void
  /** At most so many bytes of the body that is arriving are still to come. */
  #bodyBytes = 0
  #bytesPassed = 0
  /** If defined, nothing is passed on any more, and so many bytes may still come. */
  #bytesToDiscard: number | undefined

  /** @param socket to which an `http.Server` listens already */
  constructor(socket: Socket, terms: IntakeTerms) {
    this.#socket = socket
    this.#terms = terms
    const [parse] = socket.listeners('data')
    if (parse === undefined) throw new Error('no server listens to this socket')
    this.#parse = (bytes) => void Reflect.apply(parse, socket, [bytes])
    socket.removeAllListeners('data')
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('drain', () => this.resume())
  }

  /** Of all bytes that the socket has read, these have been passed on. */
  get bytesPassed(): number {
    return this.#bytesPassed
  }

  /** A request has begun whose body has this length: that many bytes contain no other request. */
  expectBody(bytes: number): void {
    this.#bodyBytes = bytes
  }

  /** From now on bytes are dropped; with more than these, so is the connection. */
  discard(bytes: number): void {
    this.#bytesToDiscard = bytes
  }

  /** Goes on if there is room again. */
  resume(): void {
    // While the client takes in no answers, Node has paused its parser, which must then get nothing.
    if (this.#socket.isPaused() && !this.#terms.isFull() && !this.#socket.writableNeedDrain) this.#socket.resume()
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
      if (this.#terms.isFull() || this.#socket.isPaused()) {
        this.#socket.pause()
        this.#socket.unshift(bytes.subarray(start))
        return
      }
      const end = Math.min(bytes.length, start + Math.max(this.#bodyBytes, this.#terms.sliceBytes()))
      this.#bodyBytes = Math.max(0, this.#bodyBytes - (end - start))
      this.#bytesPassed += end - start
      this.#parse(end - start === bytes.length ? bytes : bytes.subarray(start, end))
      start = end
    }
  }
}
