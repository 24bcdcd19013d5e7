import { type Heard, MxQuestioner, type Presence } from './attempt.ts'
import { Inquiry, LookUp } from './inquiry.ts'
import { ServerOrder } from './servers.ts'

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
export class LookUpsEnded extends Error {
  override readonly name = 'LookUpsEnded'
}

export interface AskOptions {
  /** After so long, what is not known is left open. */
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
   * @throws the reason of `signal` once that aborts, LookUpsEnded when the server stops
   */
  answers(): Promise<ReadonlyMap<string, Presence>>
}

/**
 * Looks for mail exchangers. Nothing outlives the requests that asked (Node tells no TTL; the operator's own
 * resolver is the cache), but what several requests ask at the same time is asked once. Places go round
 * by request, so that a short list does not wait for a long one.
 */
export class MxLookUps {
  readonly #questioner = new MxQuestioner()
  readonly #servers: ServerOrder
  readonly #lookUps: Map<string, LookUp> = new Map()
  /** Open requests in the order of their turns. */
  readonly #turns: Inquiry[] = []
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
    const inquiry = new Inquiry()
    this.#turns.push(inquiry)
    const end = () => this.#end(inquiry)
    const deadline = setTimeout(end, deadlineMs)
    signal.addEventListener('abort', end, { once: true })
    inquiry.ended.then(() => {
      clearTimeout(deadline)
      signal.removeEventListener('abort', end)
    })
    if (signal.aborted || this.#stopped) this.#cut(inquiry)
    return {
      ask: (domain) => this.#ask(inquiry, domain),
      answers: async () => {
        inquiry.sealed = true
        if (inquiry.complete) end()
        await inquiry.ended
        signal.throwIfAborted()
        if (inquiry.isCut) throw new LookUpsEnded()
        return inquiry.known
      },
    }
  }

  /** The server stops: whoever still waits hears of it, and so does whoever comes. */
  endWork(): void {
    this.#stopped = true
    for (const inquiry of [...this.#turns]) this.#cut(inquiry)
  }

  #cut(inquiry: Inquiry): void {
    inquiry.isCut = true
    this.#end(inquiry)
  }

  #ask(inquiry: Inquiry, domain: string): void {
    if (inquiry.over || inquiry.lookUps.has(domain)) return
    const lookUp = this.#lookUps.get(domain) ?? new LookUp(domain)
    this.#lookUps.set(domain, lookUp)
    inquiry.lookUps.set(domain, lookUp)
    lookUp.askers.add(inquiry)
    if (lookUp.state === 'waiting') inquiry.enqueue(lookUp)
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
    for (const inquiry of this.#turns) {
      const lookUp = inquiry.inFlight < free * SHARE_OF_FREE ? inquiry.next() : undefined
      if (lookUp === undefined) continue
      this.#turns.push(...this.#turns.splice(0, this.#turns.indexOf(inquiry) + 1))
      this.#begin(lookUp, inquiry)
      return true
    }
    return false
  }

  #begin(lookUp: LookUp, payer: Inquiry): void {
    const server = this.#servers.choose(lookUp.asked)
    const timeoutMs = PASS_TIMEOUTS_MS[lookUp.pass] ?? 0
    const leave = () => {
      this.#inFlight--
      payer.inFlight--
      this.#planBegin()
    }
    this.#inFlight++
    payer.inFlight++
    lookUp.state = 'under way'
    lookUp.asked = server
    const cancel = this.#questioner.ask(lookUp.domain, { server, timeoutMs }, (heard) => {
      leave()
      this.#servers.heard(server, heard.silent)
      this.#passDone(lookUp, heard)
    })
    lookUp.cancel = () => {
      cancel()
      leave()
    }
  }

  #passDone(lookUp: LookUp, { presence }: Heard): void {
    if (presence === null && ++lookUp.pass < PASS_TIMEOUTS_MS.length) {
      lookUp.state = 'waiting'
      for (const asker of lookUp.askers) asker.enqueue(lookUp)
      return
    }
    this.#forget(lookUp)
    this.#count(presence)
    for (const asker of lookUp.askers) {
      asker.known.set(lookUp.domain, presence)
      if (asker.complete) this.#end(asker)
    }
  }

  /** The request wants no more: its questions end, except those that others wait for too. */
  #end(inquiry: Inquiry): void {
    if (inquiry.over) return
    this.#turns.splice(this.#turns.indexOf(inquiry), 1)
    for (const lookUp of inquiry.lookUps.values()) {
      lookUp.askers.delete(inquiry)
      if (lookUp.state === 'over' || lookUp.askers.size > 0) continue
      if (lookUp.state === 'under way') lookUp.cancel()
      this.#forget(lookUp)
    }
    inquiry.end()
  }

  #forget(lookUp: LookUp): void {
    lookUp.state = 'over'
    this.#lookUps.delete(lookUp.domain)
  }
}
