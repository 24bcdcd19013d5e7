import type { BurstLimit } from '@keepfirst/protocol'
import type { FixedWindowLimiter } from '../limits/fixed-window-limiter.ts'
import type { Take, TakeAnswer } from './ledger-driver.ts'
import type { Charge, Ticket, WaitingClient } from './store.ts'

/** One request to be charged, with or without a key. */
export interface ChargeRequest {
  readonly id: string
  /** The counter: an account's identifier, or the keyed hash of a network address. */
  readonly counter: string
  readonly period: string
  readonly at: number
  readonly units: number
  /** The highest value that the counter may reach. */
  readonly limit: number
  /** Only for calls with a key: burst window and event. */
  readonly keyed:
    | { readonly keyId: string; readonly burst: BurstLimit | null; readonly call: Pick<Charge, 'mode' | 'rows'> }
    | undefined
}

export type ChargeOutcome =
  | { readonly outcome: 'admitted' }
  | { readonly outcome: 'spent'; readonly used: number }
  | { readonly outcome: 'burst'; readonly limit: BurstLimit; readonly retryAfterSeconds: number }
  | { readonly outcome: 'withdrawn' }

/** A charge that someone is waiting for. */
export interface WaitingCharge {
  readonly charge: ChargeRequest
  readonly client: WaitingClient | undefined
  /** In monotonic milliseconds. */
  readonly since: number
  readonly resolve: (outcome: ChargeOutcome) => void
  readonly reject: (error: unknown) => void
  /** It has waited too long and was rejected. */
  isGivenUp: boolean
}

interface Choice {
  readonly waiting: WaitingCharge
  /** Seconds until the burst window has room; 0 if a place was reserved. */
  readonly waitSeconds: number
  readonly isChosen: boolean
}

/**
 * Charges of one counter and period that a batch decides, in order of arrival. They are added up and made together, as
 * if there were room for all of them. If there is not, the counter's value is known, and the charges that fit are
 * chosen one by one and tried again.
 *
 * The month is checked first, then the burst window (specification 4.1), and both or neither are taken: a place in the
 * window is reserved when its charge is chosen, and released if the counter refuses. No other batch has charges of the
 * same counter at the same time, so nobody is refused because of a reservation that is released later.
 */
export class ChargeGroup {
  readonly counter: string
  readonly period: string
  readonly isKeyed: boolean
  /** Goes into its own batch. */
  readonly isAlone: boolean
  #waiting: readonly WaitingCharge[]
  #choices: readonly Choice[] = []
  #found: number | undefined

  constructor(waiting: readonly [WaitingCharge, ...WaitingCharge[]], isAlone = false) {
    const { charge } = waiting[0]
    this.counter = charge.counter
    this.period = charge.period
    this.isKeyed = charge.keyed !== undefined
    this.isAlone = isAlone
    this.#waiting = waiting
  }

  get waiting(): readonly WaitingCharge[] {
    return this.#waiting
  }

  /** The charges being tried. */
  get chosen(): readonly ChargeRequest[] {
    return this.#choices.filter(({ isChosen }) => isChosen).map(({ waiting }) => waiting.charge)
  }

  /**
   * Chooses which charges to try and reserves their places in burst windows; charges that nobody waits for any more are
   * dropped.
   * @returns what to take; undefined if nobody is left or nothing fits (then all have their outcomes)
   */
  choose(limiter: FixedWindowLimiter): Take | undefined {
    this.#waiting = this.#waiting.filter(stillWaits)
    let units = 0
    let room = Number.MAX_SAFE_INTEGER
    this.#choices = this.#waiting.map((waiting) => {
      const { charge } = waiting
      const { keyed } = charge
      const fits = this.#found === undefined || this.#found + units + charge.units <= charge.limit
      const waitSeconds = keyed?.burst ? limiter.secondsToWait(keyed.keyId, keyed.burst, charge.at) : 0
      const isChosen = fits && waitSeconds === 0
      if (isChosen) {
        if (keyed?.burst) limiter.take(keyed.keyId, keyed.burst, charge.at)
        units += charge.units
        room = Math.min(room, charge.limit - units)
      }
      return { waiting, waitSeconds, isChosen }
    })
    if (this.#choices.length === 0) return undefined
    const take = { counter: this.counter, period: this.period }
    if (this.#choices.some(({ isChosen }) => isChosen)) return { ...take, units, room }
    if (this.#found === undefined) return { ...take, units: 0, room: -1 }
    this.#conclude(this.#found)
    return undefined
  }

  /**
   * Processes the counter's answer.
   * @returns whether to try again
   */
  learn([after, before]: TakeAnswer, limiter: FixedWindowLimiter): boolean {
    const units = this.chosen.reduce((sum, charge) => sum + charge.units, 0)
    if (after !== null) {
      this.#conclude(after - units)
      return false
    }
    this.releaseReservations(limiter)
    if (this.#choices.every(({ isChosen }) => !isChosen)) {
      this.#conclude(before)
      return false
    }
    this.#found = before
    return true
  }

  /** Called when nothing was charged. */
  releaseReservations(limiter: FixedWindowLimiter): void {
    for (const charge of this.chosen) if (charge.keyed?.burst) limiter.release(charge.keyed.keyId)
  }

  reject(error: unknown): void {
    for (const waiting of this.#waiting) if (!waiting.isGivenUp) waiting.reject(error)
  }

  /** Rejects charges that have waited since then or longer. If they are committed after all, `resolve` refunds them. */
  giveUp(since: number): void {
    for (const waiting of this.#waiting) if (!waiting.isGivenUp && waiting.since <= since) giveUp(waiting)
  }

  #conclude(before: number): void {
    let used = before
    for (const { waiting, waitSeconds, isChosen } of this.#choices) {
      const { units, limit, keyed } = waiting.charge
      if (isChosen) {
        used += units
        waiting.resolve({ outcome: 'admitted' })
      } else if (keyed?.burst && waitSeconds > 0 && used + units <= limit) {
        waiting.resolve({ outcome: 'burst', limit: keyed.burst, retryAfterSeconds: waitSeconds })
      } else {
        waiting.resolve({ outcome: 'spent', used })
      }
    }
  }
}

/** Rejects a charge that has waited too long. */
export function giveUp(waiting: WaitingCharge): void {
  waiting.isGivenUp = true
  waiting.reject(new Error('the database did not decide in time'))
}

/** The ticket of an admitted charge, for its completion or refund. */
export function ticketOf({ id, counter, period, at, units, keyed }: ChargeRequest): Ticket {
  if (keyed === undefined) return { kind: 'keyless', client: counter, period, units }
  return { kind: 'keyed', chargeId: id, accountId: counter, at, units }
}

function stillWaits(waiting: WaitingCharge): boolean {
  if (waiting.isGivenUp) return false
  if (waiting.client?.aborted !== true) return true
  waiting.resolve({ outcome: 'withdrawn' })
  return false
}
