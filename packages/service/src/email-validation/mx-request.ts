import type { MxPresence } from './mx-client.ts'

/** The look-up of one domain, shared by everyone who needs it at the moment. */
export class DomainLookup {
  readonly domain: string
  readonly askers: Set<MxRequest> = new Set()
  /** The pass that it is waiting for or in, 0 or 1. */
  pass = 0
  state: 'waiting' | 'under way' | 'over' = 'waiting'
  /** The server that was queried last. */
  asked: string | undefined
  /** Cancels the current query and frees its place. */
  cancel: () => void = () => {}

  constructor(domain: string) {
    this.domain = domain
  }
}

/** The DNS queries of one request, and their results so far. */
export class MxRequest {
  readonly lookups: Map<string, DomainLookup> = new Map()
  readonly known: Map<string, MxPresence> = new Map()
  /** Queries in flight that count as this request's. */
  inFlight = 0
  /** No more domains will be added. */
  isSealed = false
  /** `cut`: it ended because the server stops. */
  state: 'open' | 'over' | 'cut' = 'open'
  /** Resolves at the end, whether everything is known or not. */
  readonly ended: Promise<void>
  #resolveEnded: () => void = () => {}
  readonly #queues = [new PassQueue(0), new PassQueue(1)] as const

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  /** Queues a look-up for the pass it has reached. */
  enqueue(lookup: DomainLookup): void {
    this.#queues[lookup.pass]?.push(lookup)
  }

  /** The next query to send: the first pass of every domain comes before the second of any. */
  next(): DomainLookup | undefined {
    return this.#queues[0].first() ?? this.#queues[1].first()
  }

  get isComplete(): boolean {
    return this.isSealed && this.known.size === this.lookups.size
  }

  end(how: 'over' | 'cut'): void {
    this.state = how
    this.#resolveEnded()
  }
}

/** Look-ups waiting for one pass, in order of arrival; those that another request has started meanwhile are skipped. */
class PassQueue {
  readonly #pass: number
  readonly #lookups: DomainLookup[] = []
  #head = 0

  constructor(pass: number) {
    this.#pass = pass
  }

  push(lookup: DomainLookup): void {
    this.#lookups.push(lookup)
  }

  first(): DomainLookup | undefined {
    for (; this.#head < this.#lookups.length; this.#head++) {
      const lookup = this.#lookups[this.#head]
      if (lookup?.state === 'waiting' && lookup.pass === this.#pass) return lookup
    }
    return undefined
  }
}
