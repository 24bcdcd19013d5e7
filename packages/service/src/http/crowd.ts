/** Served in one turn of the event loop, in which all other connections are read as well. */
const SERVED_AT_A_TIME = 8

/** The pipelined requests that wait, on all connections together. Each holds some 4 KB, and its headers. */
export class Crowd {
  readonly #limit: number
  #waiting = 0
  /** At most one of each connection. */
  readonly #ready: (() => void)[] = []

  /** @param limit number of requests beyond which the crowd is large */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Connections should now take in as little as they can. */
  get isLarge(): boolean {
    return this.#waiting > this.#limit
  }

  join(): void {
    this.#waiting += 1
  }

  leave(requests: number): void {
    this.#waiting -= requests
  }

  /**
   * Serves a request that was the next on its connection, behind those of other connections. Served at once, quick
   * answers to pipelined requests would occupy the event loop for as long as the client takes them in.
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
