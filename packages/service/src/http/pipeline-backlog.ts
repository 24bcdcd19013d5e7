/** Requests served in one turn of the event loop, which also reads from all other connections. */
const SERVED_AT_A_TIME = 8

/** The pipelined requests of all connections that wait for their turn. Each takes some 4 KB, plus its headers. */
export class PipelineBacklog {
  readonly #limit: number
  #waiting = 0
  /** At most one per connection. */
  readonly #ready: (() => void)[] = []

  /** @param limit the number of requests beyond which the backlog is overloaded */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether connections should read as little as possible. */
  get isOverloaded(): boolean {
    return this.#waiting > this.#limit
  }

  add(): void {
    this.#waiting += 1
  }

  remove(requests: number): void {
    this.#waiting -= requests
  }

  /**
   * Serves the next request of a connection, after those of other connections. If it were served at once, quick answers
   * to pipelined requests would occupy the event loop for as long as the client reads them.
   */
  serveInTurn(serve: () => void): void {
    this.#ready.push(serve)
    if (this.#ready.length === 1) this.#serveSoon()
  }

  #serveSoon(): void {
    setImmediate(() => {
      for (const serve of this.#ready.slice(0, SERVED_AT_A_TIME)) {
        this.#ready.shift()
        serve()
      }
      if (this.#ready.length > 0) this.#serveSoon()
    })
  }
}
