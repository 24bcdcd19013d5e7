/** Unanswered queries in a row after which a server is demoted; more than a single slow zone causes. */
const SILENT_IN_A_ROW = 64

/**
 * Chooses the name server to query: the preferred one, or another if the first pass already went to that. A preferred
 * server that stays silent is replaced by the next, so that a dead first entry does not cost every domain its first
 * pass. Results do not depend on the choice.
 */
export class ServerOrder {
  readonly #servers: readonly string[]
  #preferred = 0
  #silentInARow = 0

  /** @param servers as `Resolver.setServers` takes them, at least one */
  constructor(servers: readonly string[]) {
    this.#servers = servers
  }

  /**
   * The server to query, different from `asked` if there is another.
   * @throws Error when there are no servers
   */
  choose(asked?: string): string {
    const server = this.#fromPreferred(0)
    return server === asked ? this.#fromPreferred(1) : server
  }

  /** Reports how a server did. Queries in flight when the preference changed do not count. */
  report(server: string, silent: boolean): void {
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
