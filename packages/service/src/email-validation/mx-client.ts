import { Resolver } from 'node:dns'

/** What DNS says about a domain: a mail exchanger exists, none exists, or it is not known. */
export type Presence = boolean | null

/** The outcome of one question; `silent` when the server gave no answer of any kind. */
export interface MxReply {
  readonly presence: Presence
  readonly silent: boolean
}

/** Settles the matter: the domain does not exist, or it has no such record (RFC 2308). Any other code is a failure. */
const ABSENT: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA'])

/** Longer than any question waits: c-ares looks at its own clock once a second only, so ours is the one that counts. */
const NEVER_MS = 60_000

/** How one server is asked: as `Resolver.setServers` takes it, and for how long its answer is waited for. */
export interface Asked {
  readonly server: string
  readonly timeoutMs: number
}

/**
 * Asks name servers, each question by a resolver that has no other at the moment: on one socket answers are lost
 * once some hundreds are in flight. Resolvers are used again, since the garbage collector would free thousands at
 * a time and hold the event loop for tens of milliseconds.
 */
export class MxClient {
  readonly #idle: Resolver[] = []

  /**
   * Asks one server once whether a domain (ASCII) has a mail exchanger; a truncated answer goes to TCP, search
   * domains are never appended. Returns what cancels the question, after which `done` is not called.
   */
  ask(domain: string, { server, timeoutMs }: Asked, done: (reply: MxReply) => void): () => void {
    const resolver = this.#idle.pop() ?? new Resolver({ timeout: NEVER_MS, tries: 1 })
    let over = false
    const end = (): void => {
      over = true
      clearTimeout(timer)
      resolver.cancel()
      // c-ares shortens its time-out to a multiple of the latency that it has seen of a server: it forgets both.
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

/** RFC 7505: a null MX, whose exchange is the root, says that the domain takes no mail. */
function isExchanger(record: { readonly exchange: string }): boolean {
  return record.exchange !== '' && record.exchange !== '.'
}

function failed({ code = '' }: NodeJS.ErrnoException): MxReply {
  return { presence: ABSENT.has(code) ? false : null, silent: code === 'ECONNREFUSED' || code === 'ETIMEOUT' }
}
