import type { Presence } from './mx-client.ts'

/** One domain that is being looked up, for everyone who wants to know at the moment. */
export class DomainLookup {
  readonly domain: string
  readonly askers: Set<MxLookup> = new Set()
  /** The pass that it waits for or is in, 0 or 1. */
  pass = 0
  state: 'waiting' | 'under way' | 'over' = 'waiting'
  /** The server that was asked last. */
  asked: string | undefined
  /** Gives up the question that is under way and its place. */
  cancel: () => void = () => {}

  constructor(domain: string) {
    this.domain = domain
  }
}

/** What one request asks DNS, and what it has learned so far. */
export class MxLookup {
  readonly lookups: Map<string, DomainLookup> = new Map()
  readonly known: Map<string, Presence> = new Map()
  /** Questions under way that count as this request's. */
  inFlight = 0
  /** No more domains will be asked for. */
  sealed = false
  over = false
  /** It was ended before all was known, and not by its deadline. */
  isCut = false
  /** Resolves at the end, whether all is known or not. */
  readonly ended: Promise<void>
  #resolveEnded: () => void = () => {}
  readonly #lines = [new Line(0), new Line(1)] as const

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
  }

  /** Stands in line for the pass that the look-up has come to. */
  enqueue(lookup: DomainLookup): void {
    this.#lines[lookup.pass]?.push(lookup)
  }

  /** The next question to ask: the first pass of every domain before the second of any. */
  next(): DomainLookup | undefined {
    return this.#lines[0].first() ?? this.#lines[1].first()
  }

  get complete(): boolean {
    return this.sealed && this.known.size === this.lookups.size
  }

  end(): void {
    this.over = true
    this.#resolveEnded()
  }
}

/** Look-ups that wait for one pass, first come first; what another request has begun meanwhile is passed over. */
class Line {
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
