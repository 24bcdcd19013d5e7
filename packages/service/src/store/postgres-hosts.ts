/**
 * The servers of one PostgreSQL cluster, one of which accepts writes while the others replicate it. Connections go to
 * the one last found to accept writes; if it fails, the next one is tried.
 */
export class PostgresHosts {
  readonly #addresses: readonly string[]
  #position = 0

  /** @param databaseUrl `postgres://USER@HOST:PORT,HOST:PORT/DATABASE`, with one host or several */
  constructor(databaseUrl: string) {
    this.#addresses = addressesOf(databaseUrl)
  }

  get count(): number {
    return this.#addresses.length
  }

  /** The address of the server to connect to. */
  get current(): string {
    return this.#addresses[this.#position] ?? ''
  }

  /** The server at that address cannot be reached, or is read-only. */
  failed(address: string): void {
    if (address === this.current) this.#position = (this.#position + 1) % this.count
  }
}

/** One address for each host in `postgres://…@HOST,HOST/…`. */
export function addressesOf(databaseUrl: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? []
  return hosts.split(',').map((host) => `${start}${host}${checked(rest)}`)
}

/** The driver verifies certificates in all of these modes, and warns that some of them will change their meaning. */
function checked(rest: string): string {
  return rest.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
