import { SHARE_OF_FREE } from '../limits/share-of-free.ts'
import { MxClient, type MxPresence, type MxReply } from './mx-client.ts'
import { DomainLookup, MxRequest } from './mx-request.ts'
import { ServerOrder } from './server-order.ts'

/** Queries in flight at any moment in the whole process. */
const PLACES = 300

/**
 * Most domains answer within milliseconds, so a short first pass covers those, and a longer second one the few that did
 * not answer. In a single long pass, dead domains would keep live ones from being queried at all.
 */
const PASS_TIMEOUTS_MS: readonly number[] = [1_000, 4_000]

/** Queries started in one turn of the event loop; each takes about 0.07 ms. */
const STARTS_A_TURN = 8

/** The server is stopping before all results are known. */
export class ResolverStopped extends Error {
  override readonly name = 'ResolverStopped'
}

export interface AskOptions {
  /** After this time, the remaining results are unknown. */
  readonly deadlineMs: number
  /** Aborts when nobody waits for the results any more. */
  readonly signal: AbortSignal
}

/** What a request can ask, and the answers. */
export interface MxQuestions {
  /** Queries a domain in ASCII form; repeated calls have no effect. */
  ask(domain: string): void
  /**
   * Resolves to what is known once all queries are settled or the deadline has passed; missing domains are unknown. No
   * more domains can be added.
   * @throws ClientDisconnected when `signal` aborts (its reason)
   * @throws ResolverStopped when the server stops
   */
  answers(): Promise<ReadonlyMap<string, MxPresence>>
}

/**
 * Looks up mail exchangers. Results are not cached beyond the requests that asked for them (Node does not expose TTLs;
 * the operator's own resolver is the cache), but concurrent queries for the same domain are shared. Places are given to
 * requests in turn, so that a short list does not wait for a long one.
 */
export class MxResolver {
  readonly #client = new MxClient()
  readonly #servers: ServerOrder
  readonly #lookups: Map<string, DomainLookup> = new Map()
  /** Open requests in the order of their turns. */
  readonly #requests: MxRequest[] = []
  #inFlight = 0
  #isBeginPlanned = false
  #isStopped = false
  readonly #count: (presence: MxPresence) => void

  /**
   * @param servers name servers as `Resolver.setServers` takes them, at least one
   * @param count called with the outcome of each finished look-up
   */
  constructor(servers: readonly string[], count: (presence: MxPresence) => void = () => {}) {
    this.#servers = new ServerOrder(servers)
    this.#count = count
  }

  /** Queries in flight at the moment. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Opens the queries of one request; its time limit starts now. */
  open({ deadlineMs, signal }: AskOptions): MxQuestions {
    const request = new MxRequest()
    this.#requests.push(request)
    const end = () => this.#end(request, 'over')
    const deadline = setTimeout(end, deadlineMs)
    signal.addEventListener('abort', end, { once: true })
    request.ended.then(() => {
      clearTimeout(deadline)
      signal.removeEventListener('abort', end)
    })
    if (this.#isStopped) this.#end(request, 'cut')
    else if (signal.aborted) end()
    return {
      ask: (domain) => this.#ask(request, domain),
      answers: async () => {
        request.isSealed = true
        if (request.isComplete) end()
        await request.ended
        signal.throwIfAborted()
        if (request.state === 'cut') throw new ResolverStopped()
        return request.known
      },
    }
  }

  /** Stops: pending and future requests fail with `ResolverStopped`. */
  stop(): void {
    this.#isStopped = true
    for (const request of [...this.#requests]) this.#end(request, 'cut')
  }

  #ask(request: MxRequest, domain: string): void {
    if (request.state !== 'open' || request.lookups.has(domain)) return
    const lookup = this.#lookups.get(domain) ?? new DomainLookup(domain)
    this.#lookups.set(domain, lookup)
    request.lookups.set(domain, lookup)
    lookup.askers.add(request)
    if (lookup.state === 'waiting') request.enqueue(lookup)
    this.#planBegin()
  }

  /** Only a few queries are started per turn of the event loop, because opening a resolver takes time. */
  #planBegin(): void {
    if (this.#isBeginPlanned) return
    this.#isBeginPlanned = true
    setImmediate(() => {
      this.#isBeginPlanned = false
      for (let begun = 0; begun < STARTS_A_TURN; begun++) if (!this.#beginNext()) return
      this.#planBegin()
    })
  }

  /** Starts one query of the request whose turn it is; false if there is none to start or no free place. */
  #beginNext(): boolean {
    const free = PLACES - this.#inFlight
    for (const request of this.#requests) {
      const lookup = request.inFlight < free * SHARE_OF_FREE ? request.next() : undefined
      if (lookup === undefined) continue
      this.#requests.push(...this.#requests.splice(0, this.#requests.indexOf(request) + 1))
      this.#begin(lookup, request)
      return true
    }
    return false
  }

  #begin(lookup: DomainLookup, payer: MxRequest): void {
    const server = this.#servers.choose(lookup.asked)
    const timeoutMs = PASS_TIMEOUTS_MS[lookup.pass] ?? 0
    const leave = () => {
      this.#inFlight--
      payer.inFlight--
      this.#planBegin()
    }
    this.#inFlight++
    payer.inFlight++
    lookup.state = 'under way'
    lookup.asked = server
    const cancel = this.#client.ask(lookup.domain, { server, timeoutMs }, (reply) => {
      leave()
      this.#servers.report(server, reply.silent)
      this.#passDone(lookup, reply)
    })
    lookup.cancel = () => {
      cancel()
      leave()
    }
  }

  #passDone(lookup: DomainLookup, { presence }: MxReply): void {
    if (presence === null && ++lookup.pass < PASS_TIMEOUTS_MS.length) {
      lookup.state = 'waiting'
      for (const asker of lookup.askers) asker.enqueue(lookup)
      return
    }
    this.#forget(lookup)
    this.#count(presence)
    for (const asker of lookup.askers) {
      asker.known.set(lookup.domain, presence)
      if (asker.isComplete) this.#end(asker, 'over')
    }
  }

  /** Ends a request: its queries are cancelled, except those that other requests share. */
  #end(request: MxRequest, how: 'over' | 'cut'): void {
    if (request.state !== 'open') return
    this.#requests.splice(this.#requests.indexOf(request), 1)
    for (const lookup of request.lookups.values()) {
      lookup.askers.delete(request)
      if (lookup.state === 'over' || lookup.askers.size > 0) continue
      if (lookup.state === 'under way') lookup.cancel()
      this.#forget(lookup)
    }
    request.end(how)
  }

  #forget(lookup: DomainLookup): void {
    lookup.state = 'over'
    this.#lookups.delete(lookup.domain)
  }
}
