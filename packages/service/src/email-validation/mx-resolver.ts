import { MxClient, type MxReply, type Presence } from './mx-client.ts'
import { DomainLookup, MxLookup } from './mx-lookup.ts'
import { ServerOrder } from './server-order.ts'

/** Questions under way at any moment in the whole process. */
const PLACES = 300

/**
 * Most domains answer in milliseconds: a short first pass over all of them, then a patient second one over the
 * few that did not. In a single patient pass, dead domains would keep live ones from being asked at all.
 */
const PASS_TIMEOUTS_MS: readonly number[] = [1_000, 4_000]

/**
 * A request may hold this many times the places that are free, so that no number of dead domains in one
 * request takes the last place from another (Choudhury and Hahne 1998, dynamic queue length thresholds).
 */
const SHARE_OF_FREE = 8

/** Questions begun in one turn of the event loop; each takes about 0.07 ms. */
const STARTS_A_TURN = 8

/** The server stops before all is known that was asked. */
export class ResolverStopped extends Error {
  override readonly name = 'ResolverStopped'
}

export interface AskOptions {
  /** After this long, what is not known is left open. */
  readonly deadlineMs: number
  /** Aborts when nobody waits for the answers any more. */
  readonly signal: AbortSignal
}

/** The questions of one request. */
export interface MxQuestions {
  /** Asks for a domain in ASCII form; asking again changes nothing. */
  ask(domain: string): void
  /**
   * No more is asked: what is known once all is settled or the deadline has passed. A domain that is
   * missing is not known.
   * @throws ClientDisconnected once `signal` aborts (its reason)
   * @throws ResolverStopped when the server stops
   */
  answers(): Promise<ReadonlyMap<string, Presence>>
}

/**
 * Looks for mail exchangers. Nothing outlives the requests that asked (Node tells no TTL; the operator's own
 * resolver is the cache), but what several requests ask at the same time is asked once. Places go round
 * by request, so that a short list does not wait for a long one.
 */
export class MxResolver {
  readonly #client = new MxClient()
  readonly #servers: ServerOrder
  readonly #lookups: Map<string, DomainLookup> = new Map()
  /** Open requests in the order of their turns. */
  readonly #requests: MxLookup[] = []
  #inFlight = 0
  #beginPlanned = false
  #stopped = false

  readonly #count: (presence: Presence) => void

  /**
   * @param servers name servers as `Resolver.setServers` takes them, at least one
   * @param count is told the outcome of each look-up that ended
   */
  constructor(servers: readonly string[], count: (presence: Presence) => void = () => {}) {
    this.#servers = new ServerOrder(servers)
    this.#count = count
  }

  /** Questions under way at the moment. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Opens the questions of one request; its deadline counts from here. */
  open({ deadlineMs, signal }: AskOptions): MxQuestions {
    const request = new MxLookup()
    this.#requests.push(request)
    const end = () => this.#end(request)
    const deadline = setTimeout(end, deadlineMs)
    signal.addEventListener('abort', end, { once: true })
    request.ended.then(() => {
      clearTimeout(deadline)
      signal.removeEventListener('abort', end)
    })
    if (signal.aborted || this.#stopped) this.#cut(request)
    return {
      ask: (domain) => this.#ask(request, domain),
      answers: async () => {
        request.sealed = true
        if (request.complete) end()
        await request.ended
        signal.throwIfAborted()
        if (request.isCut) throw new ResolverStopped()
        return request.known
      },
    }
  }

  /** The server stops: whoever still waits hears of it, and so does whoever comes. */
  stop(): void {
    this.#stopped = true
    for (const request of [...this.#requests]) this.#cut(request)
  }

  #cut(request: MxLookup): void {
    request.isCut = true
    this.#end(request)
  }

  #ask(request: MxLookup, domain: string): void {
    if (request.over || request.lookups.has(domain)) return
    const lookup = this.#lookups.get(domain) ?? new DomainLookup(domain)
    this.#lookups.set(domain, lookup)
    request.lookups.set(domain, lookup)
    lookup.askers.add(request)
    if (lookup.state === 'waiting') request.enqueue(lookup)
    this.#planBegin()
  }

  /** Questions begin a few a turn of the event loop: opening a resolver takes time that others wait for. */
  #planBegin(): void {
    if (this.#beginPlanned) return
    this.#beginPlanned = true
    setImmediate(() => {
      this.#beginPlanned = false
      for (let begun = 0; begun < STARTS_A_TURN; begun++) if (!this.#beginNext()) return
      this.#planBegin()
    })
  }

  /** Begins one question of the request whose turn it is; false when there is none to begin or no place for it. */
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

  #begin(lookup: DomainLookup, payer: MxLookup): void {
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
      this.#servers.heard(server, reply.silent)
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
      if (asker.complete) this.#end(asker)
    }
  }

  /** The request wants no more: its questions end, except those that others wait for too. */
  #end(request: MxLookup): void {
    if (request.over) return
    this.#requests.splice(this.#requests.indexOf(request), 1)
    for (const lookup of request.lookups.values()) {
      lookup.askers.delete(request)
      if (lookup.state === 'over' || lookup.askers.size > 0) continue
      if (lookup.state === 'under way') lookup.cancel()
      this.#forget(lookup)
    }
    request.end()
  }

  #forget(lookup: DomainLookup): void {
    lookup.state = 'over'
    this.#lookups.delete(lookup.domain)
  }
}
