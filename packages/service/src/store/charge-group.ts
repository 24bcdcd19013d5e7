import type { BurstLimit, CallMode } from '@keepfirst/protocol'
import type { FixedWindowLimiter } from '../limits/fixed-window-limiter.ts'
import type { Take, TakeAnswer } from './ledger-driver.ts'
import type { Presence, Ticket } from './store.ts'

/** One request to be charged, with or without a key. */
export interface ChargeRequest {
  readonly id: string
  /** Whose counter: an account's identifier, or the keyed hash of a network address. */
  readonly counter: string
  readonly period: string
  readonly at: number
  readonly units: number
  /** The most that the counter may reach with it. */
  readonly limit: number
  /** What only calls with a key have: a burst window and an event. */
  readonly keyed: { readonly keyId: string; readonly burst: BurstLimit | null; readonly call: ChargedCall } | undefined
}

export interface ChargedCall {
  readonly mode: CallMode
  readonly rows: number
}

export type ChargeOutcome =
  | { readonly outcome: 'admitted' }
  | { readonly outcome: 'spent'; readonly used: number }
  | { readonly outcome: 'burst'; readonly limit: BurstLimit; readonly retryAfterSeconds: number }
  | { readonly outcome: 'withdrawn' }

/** A charge and whoever waits for it. */
export interface WaitingCharge {
  readonly charge: ChargeRequest
  readonly presence: Presence | undefined
  /** Monotonic milliseconds. */
  readonly since: number
  readonly resolve: (outcome: ChargeOutcome) => void
  readonly reject: (error: unknown) => void
  /** It was waited for long enough and has been rejected. */
  isGivenUp: boolean
}

interface Choice {
  readonly waiting: WaitingCharge
  /** What its burst window says: seconds until it has room, 0 when a request of it was reserved. */
  readonly waitSeconds: number
  readonly isChosen: boolean
}

/**
 * Charges of one counter and period that one batch decides, in the order in which they came. They are added up and
 * taken together, as if all had room. When the counter says otherwise, it is known how much it holds, and those
 * that fit are chosen one by one and tried again.
 *
 * Month first, then the burst window (specification 4.1), both or none: a request of the window is reserved when its
 * charge is chosen, and released when the counter refuses. No other batch holds charges of the same counter meanwhile,
 * so nobody is refused for a reservation that is released later.
 */
export class ChargeGroup {
  readonly counter: string
  readonly period: string
  readonly isKeyed: boolean
  /** Goes into a batch of its own. */
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

  /** The charges that are being tried. */
  get chosen(): readonly ChargeRequest[] {
    return this.#choices.filter(({ isChosen }) => isChosen).map(({ waiting }) => waiting.charge)
  }

  /**
   * Chooses what to try and makes its burst reservations; what nobody waits for any more is dropped.
   * @returns what to take, or undefined when nobody is left or nothing fits (then all have their outcomes)
   */
  choose(limiter: FixedWindowLimiter): Take | undefined {
    this.#waiting = this.#waiting.filter(stillWaits)
    let units = 0
    let room = Number.MAX_SAFE_INTEGER
    this.#choices = this.#waiting.map((waiting) => {
      const { charge } = waiting
      const burst = charge.keyed?.burst ?? null
      const fits = this.#found === undefined || this.#found + units + charge.units <= charge.limit
      const waitSeconds = burst === null ? 0 : limiter.secondsToWait(keyOf(charge), burst, charge.at)
      const isChosen = fits && waitSeconds === 0
      if (isChosen) {
        if (burst !== null) limiter.take(keyOf(charge), burst, charge.at)
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
   * What became of the take.
   * @returns whether it has to be tried again
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

  /** Nothing was taken. */
  releaseReservations(limiter: FixedWindowLimiter): void {
    for (const charge of this.chosen) if (charge.keyed?.burst) limiter.giveBack(charge.keyed.keyId)
  }

  reject(error: unknown): void {
    for (const waiting of this.#waiting) if (!waiting.isGivenUp) waiting.reject(error)
  }

  /** Rejects whoever has waited since then or longer. What is committed all the same, `resolve` gives back. */
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

/** Nobody waits for it any more. */
export function giveUp(waiting: WaitingCharge): void {
  waiting.isGivenUp = true
  waiting.reject(new Error('the database did not decide in time'))
}

/** Names an admitted charge, so that it can be completed or refunded. */
export function ticketOf({ id, counter, period, at, units, keyed }: ChargeRequest): Ticket {
  if (keyed === undefined) return { kind: 'keyless', client: counter, period, units }
  return { kind: 'keyed', chargeId: id, accountId: counter, at, units }
}

function keyOf(charge: ChargeRequest): string {
  return charge.keyed?.keyId ?? ''
}

function stillWaits(waiting: WaitingCharge): boolean {
  if (waiting.isGivenUp) return false
  if (waiting.presence?.aborted !== true) return true
  waiting.resolve({ outcome: 'withdrawn' })
  return false
}
