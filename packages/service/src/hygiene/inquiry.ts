import type { Presence } from './attempt.ts'

/** One domain that is being looked up, for everyone who wants to know at the moment. */
export class LookUp {
  readonly domain: string
  readonly askers: Set<Inquiry> = new Set()
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
export class Inquiry {
  readonly lookUps: Map<string, LookUp> = new Map()
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
  enqueue(lookUp: LookUp): void {
    this.#lines[lookUp.pass]?.push(lookUp)
  }

  /** The next question to ask: the first pass of every domain before the second of any. */
  next(): LookUp | undefined {
    return this.#lines[0].first() ?? this.#lines[1].first()
  }

  get complete(): boolean {
    return this.sealed && this.known.size === this.lookUps.size
  }

  end(): void {
    this.over = true
    this.#resolveEnded()
  }
}

/** Look-ups that wait for one pass, first come first; what another request has begun meanwhile is passed over. */
class Line {
  readonly #pass: number
  readonly #lookUps: LookUp[] = []
  #head = 0

  constructor(pass: number) {
    this.#pass = pass
  }

  push(lookUp: LookUp): void {
    this.#lookUps.push(lookUp)
  }

  first(): LookUp | undefined {
    for (; this.#head < this.#lookUps.length; this.#head++) {
      const lookUp = this.#lookUps[this.#head]
      if (lookUp?.state === 'waiting' && lookUp.pass === this.#pass) return lookUp
    }
    return undefined
  }
}
