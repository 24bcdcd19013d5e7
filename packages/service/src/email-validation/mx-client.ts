import { Resolver } from 'node:dns'

/** What DNS says about a domain: it has a mail exchanger, it has none, or unknown. */
export type MxPresence = boolean | null

/** The outcome of one query; `silent` if the server did not answer at all. */
export interface MxReply {
  readonly presence: MxPresence
  readonly silent: boolean
}

/** Definite answers: the domain does not exist, or has no such record (RFC 2308). Any other code is a failure. */
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA'])

/** Longer than any query waits: c-ares checks its clock only once a second, so our own timer decides. */
const NEVER_MS = 60_000

/** The server to query, as `Resolver.setServers` takes it, and how long to wait for its answer. */
export interface QueryOptions {
  readonly server: string
  readonly timeoutMs: number
}

/**
 * Queries name servers, giving each query a resolver to itself: on a shared socket, answers are lost once a few hundred
 * are in flight. Resolvers are reused, since the garbage collector would free thousands at a time and block the event
 * loop for tens of milliseconds.
 */
export class MxClient {
  readonly #idle: Resolver[] = []

  /**
   * Asks one server once whether a domain (ASCII) has a mail exchanger. Truncated answers are retried over TCP; search
   * domains are never appended. Returns a function that cancels the query, after which `done` is not called.
   */
  ask(domain: string, { server, timeoutMs }: QueryOptions, done: (reply: MxReply) => void): () => void {
    const resolver = this.#idle.pop() ?? new Resolver({ timeout: NEVER_MS, tries: 1 })
    let over = false
    const end = (): void => {
      over = true
      clearTimeout(timer)
      resolver.cancel()
      // c-ares shortens its timeout to a multiple of the latency it has seen from a server; this resets both.
      resolver.setServers([])
      this.#idle.push(resolver)
    }
    const timer = setTimeout(() => {
      end()
      done({ presence: null, silent: true })
    }, timeoutMs)
    resolver.setServers([server])
    resolver.resolveMx(domain, (error, records) => {
      if (over) return
      end()
      done(error === null ? { presence: records.some(isExchanger), silent: false } : failed(error))
    })
    return end
  }
}

/** RFC 7505: a null MX, whose exchange is the root, means that the domain accepts no mail. */
function isExchanger(record: { readonly exchange: string }): boolean {
  return record.exchange !== '' && record.exchange !== '.'
}

function failed({ code = '' }: NodeJS.ErrnoException): MxReply {
  return { presence: ABSENT.has(code) ? false : null, silent: code === 'ECONNREFUSED' || code === 'ETIMEOUT' }
}
