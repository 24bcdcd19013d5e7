import { ChargeGroup, giveUp, type WaitingCharge } from './charge-group.ts'
import type { Clock } from './clock.ts'

/** The most charges per commit, which limits the time that a commit takes. */
const MAX_CHARGES = 256
/** How long a counter that another session held is handled separately. */
const SUSPECT_MS = 10_000

/** Charges waiting for a commit, by counter, in order of arrival. */
export class ChargeQueue {
  readonly #clock: Clock
  readonly #queues = new Map<string, WaitingCharge[]>()
  /** Groups to be tried again; charges of their counters wait behind them. */
  #retries: ChargeGroup[] = []
  /**
   * Counters that another session held, and the time until which they are handled separately, so that others do not
   * wait for them.
   */
  readonly #suspects = new Map<string, number>()
  #wasSuspect = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The number of waiting charges. */
  get size(): number {
    let size = 0
    for (const queue of this.#queues.values()) size += queue.length
    for (const group of this.#retries) size += group.waiting.length
    return size
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0 && this.#retries.length === 0
  }

  add(waiting: WaitingCharge): void {
    const queue = this.#queues.get(waiting.charge.counter)
    if (queue === undefined) this.#queues.set(waiting.charge.counter, [waiting])
    else queue.push(waiting)
  }

  /** Called if its counter did not have room for all of it, or if its batch was not written. */
  retry(group: ChargeGroup): void {
    this.#retries.push(group)
  }

  /**
   * Called if the database rejects one of the charges: each is tried separately, so that it does not affect the others.
   */
  retryIndividually({ waiting }: ChargeGroup): void {
    this.#retries.push(...waiting.map((each) => new ChargeGroup([each], true)))
  }

  isSuspect(counter: string): boolean {
    const until = this.#suspects.get(counter)
    if (until === undefined) return false
    if (this.#clock.monotonicMs() < until) return true
    this.#suspects.delete(counter)
    return false
  }

  /** Called if another session held this counter, or may have. */
  suspect(counter: string): void {
    this.#suspects.set(counter, this.#clock.monotonicMs() + SUSPECT_MS)
  }

  /** Called when the counter was available. */
  trust(counter: string): void {
    this.#suspects.delete(counter)
  }

  /**
   * The charges for the next commit: those of all free counters, or those of one suspect counter.
   * @param maySuspect whether a batch may wait for a suspect counter
   */
  next(isBusy: (counter: string) => boolean, maySuspect: boolean): readonly ChargeGroup[] {
    // The kind that did not have the last batch goes first, so that neither waits for ever.
    for (const takesSuspect of [!this.#wasSuspect, this.#wasSuspect]) {
      if (takesSuspect && !(maySuspect && this.#suspects.size > 0)) continue
      const groups = this.#collect(isBusy, takesSuspect)
      if (groups.length === 0) continue
      this.#wasSuspect = takesSuspect
      return groups
    }
    return []
  }

  /** Gives up charges that have waited since then or longer. */
  giveUp(since: number): void {
    for (const [counter, queue] of this.#queues) {
      // In order of arrival: if the first is recent enough, all are.
      for (let first = queue[0]; first !== undefined && first.since <= since; first = queue[0]) {
        giveUp(first)
        queue.shift()
      }
      if (queue.length === 0) this.#queues.delete(counter)
    }
    for (const group of this.#retries) group.giveUp(since)
    this.#retries = this.#retries.filter(({ waiting }) => waiting.some(({ isGivenUp }) => !isGivenUp))
  }

  #collect(isBusy: (counter: string) => boolean, takesSuspect: boolean): readonly ChargeGroup[] {
    const groups = new Map<string, ChargeGroup>()
    const mayGo = (counter: string): boolean =>
      !(takesSuspect && groups.size > 0) &&
      !groups.has(counter) &&
      !isBusy(counter) &&
      this.isSuspect(counter) === takesSuspect
    const later: ChargeGroup[] = []
    let isAlone = false
    for (const group of this.#retries) {
      if (!isAlone && !(group.isAlone && groups.size > 0) && mayGo(group.counter)) {
        groups.set(group.counter, group)
        isAlone = group.isAlone
      } else later.push(group)
    }
    this.#retries = later
    if (isAlone) return [...groups.values()]
    const waitBehind = new Set(later.map(({ counter }) => counter))
    let count = 0
    for (const [counter, queue] of this.#queues) {
      if (count >= MAX_CHARGES) break
      if (waitBehind.has(counter) || !mayGo(counter)) continue
      const group = this.#takeFrom(queue, MAX_CHARGES - count)
      if (queue.length === 0) this.#queues.delete(counter)
      if (group === undefined) continue
      count += group.waiting.length
      groups.set(counter, group)
    }
    return [...groups.values()]
  }

  /** The first charges of a queue, as long as they have the same period. */
  #takeFrom(queue: WaitingCharge[], max: number): ChargeGroup | undefined {
    const [first] = queue
    if (first === undefined) return undefined
    const other = queue.findIndex(({ charge }) => charge.period !== first.charge.period)
    const [, ...rest] = queue.splice(0, Math.min(max, other === -1 ? queue.length : other))
    return new ChargeGroup([first, ...rest])
  }
}
