/** Silent questions in a row after which a server gives up its place. More than one slow zone makes. */
const SILENT_IN_A_ROW = 64

/**
 * Which name server is asked: the preferred one, or another where the first pass went to that. A preferred
 * server that stays silent gives way to the next, so that a dead first entry does not cost every domain its
 * first pass. What is answered never depends on it.
 */
export class ServerOrder {
  readonly #servers: readonly string[]
  #preferred = 0
  #silentInARow = 0

  /** @param servers as `Resolver.setServers` takes them, at least one */
  constructor(servers: readonly string[]) {
    this.#servers = servers
  }

  /** The server to ask, another than `asked` where there is one. */
  choose(asked?: string): string {
    const server = this.#fromPreferred(0)
    return server === asked ? this.#fromPreferred(1) : server
  }

  /** Tells how a server did. Questions that were under way when the preference changed do not count. */
  heard(server: string, silent: boolean): void {
    if (server !== this.#fromPreferred(0)) return
    this.#silentInARow = silent ? this.#silentInARow + 1 : 0
    if (this.#silentInARow < SILENT_IN_A_ROW) return
    this.#preferred = (this.#preferred + 1) % this.#servers.length
    this.#silentInARow = 0
  }

  #fromPreferred(steps: number): string {
    const server = this.#servers[(this.#preferred + steps) % this.#servers.length]
    if (server === undefined) throw new Error('no name server is configured')
    return server
  }
}
