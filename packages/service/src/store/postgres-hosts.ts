/**
 * The servers of one PostgreSQL, of which one takes writes and the others follow it. Connections go to the one that was
 * last found to write; when it fails, the next one is tried.
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

  /** The address of the server that connections go to. */
  get current(): string {
    return this.#addresses[this.#position] ?? ''
  }

  /** The server at that address can't be reached, or only reads. */
  failed(address: string): void {
    if (address === this.current) this.#position = (this.#position + 1) % this.count
  }
}

/** One address for each host of `postgres://…@HOST,HOST/…`. */
export function addressesOf(databaseUrl: string): readonly string[] {
  const [, start = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(databaseUrl) ?? []
  return hosts.split(',').map((host) => `${start}${host}${checked(rest)}`)
}

/** The driver checks a certificate in all of these modes, and warns that some will not mean that for ever. */
function checked(rest: string): string {
  return rest.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}
