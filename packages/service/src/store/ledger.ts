import { FixedWindowLimiter } from '../limits/fixed-window-limiter.ts'
import { answersOf, type Batch, compose, countersOf, type UnsettledBatch, unsettled } from './batch.ts'
import {
  type ChargeGroup,
  type ChargeOutcome,
  type ChargeRequest,
  ticketOf,
  type WaitingCharge,
} from './charge-group.ts'
import { ChargeQueue } from './charge-queue.ts'
import { type Clock, sleep, withTimeout } from './clock.ts'
import { ConfirmingWriter, NotWritten } from './confirming-writer.ts'
import { BadEntry, type BatchAnswer, Contended, type LedgerDriver } from './ledger-driver.ts'
import { isEmpty, NO_NOTES, NoteQueue, type Notes, sizeOf } from './notes.ts'
import type { Completion, LedgerState, RefusedCall, Ticket, WaitingClient } from './store.ts'

/** The longest wait. A charge that is undecided by then is given up; if it is committed after all, it is refunded. */
const CHARGE_MS = 5_000
/** How often the ledger checks whether anything that waits is due. */
const TICK_MS = 25
/** The completion of a charge that was given up and committed after all: its caller got 503. */
const GIVEN_UP: Completion = { status: 503, removed: null, durationMs: CHARGE_MS }

/** The ledger's reports, for logs and metrics. */
export type LedgerReport =
  | { readonly kind: 'written'; readonly charges: number; readonly durationMs: number }
  /** The database failed; nothing was written. Charges were rejected, notes remain queued. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly state: LedgerState }
  /** A commit was sent and no answer came; `settled` reports its outcome later. */
  | { readonly kind: 'answer lost'; readonly error: unknown }
  | { readonly kind: 'settled'; readonly wasWritten: boolean }
  /** The database will never accept it. */
  | { readonly kind: 'note dropped'; readonly error: unknown }

export interface LedgerOptions {
  readonly driver: LedgerDriver
  readonly clock: Clock
  /** Returns identifiers that no other batch or charge has. */
  readonly newId: () => string
  readonly report: (report: LedgerReport) => void
}

/** What could not be written before shutdown, for the next start. Plain data, so it can be written to a file. */
export interface Unwritten {
  readonly notes: Notes
  readonly batches: readonly UnsettledBatch[]
}

/** The result of a failed write. */
class Failure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * The ledger: charges, refunds, completions and refusals.
 *
 * Group commit: charges that arrive during a commit go into the next one together, so that throughput is not limited to
 * one wait for the disk per charge. Several commits may be in progress, but not with the same counter. A charge is
 * answered after its commit. Notes (completions, refunds, refusals, last uses) ride along and are retried until they
 * are written.
 */
export class Ledger {
  readonly #concurrency: number
  readonly #writer: ConfirmingWriter
  readonly #clock: Clock
  readonly #report: (report: LedgerReport) => void
  readonly #newId: () => string
  readonly #limiter = new FixedWindowLimiter()
  readonly #charges: ChargeQueue
  readonly #notes: NoteQueue
  /** Batches being written. */
  readonly #underWay = new Set<Batch>()
  /** Batches of an earlier process. */
  readonly #inherited = new Set<UnsettledBatch>()
  /** How many of the batches being written only wait for the outcome after a lost answer. */
  #settling = 0
  /** Counters in batches being written. */
  readonly #busy = new Set<string>()
  readonly #whenIdle: (() => void)[] = []
  #isPumpPlanned = false
  #isTurnOfSingles = false
  #cancelTick: (() => void) | undefined
  #isClosed = false
  #isAbandoned = false

  constructor({ driver, clock, newId, report }: LedgerOptions) {
    this.#concurrency = driver.concurrency
    this.#writer = new ConfirmingWriter({
      driver,
      clock,
      onLost: (error) => {
        this.#settling += 1
        this.#planPump()
        report({ kind: 'answer lost', error })
      },
      onSettled: (wasWritten) => {
        this.#settling -= 1
        report({ kind: 'settled', wasWritten })
      },
    })
    this.#clock = clock
    this.#report = report
    this.#newId = newId
    this.#charges = new ChargeQueue(clock)
    this.#notes = new NoteQueue(clock)
  }

  ledgerState(): LedgerState {
    let [charges, notes, refunds] = [this.#charges.size, this.#notes.size, this.#notes.refunds]
    for (const batch of this.#underWay) {
      for (const group of batch.groups) charges += group.waiting.length
      notes += sizeOf(batch.notes)
      refunds += batch.notes.refunds.length
    }
    for (const batch of this.#inherited) {
      charges += batch.charges.length
      notes += sizeOf(batch.notes)
      refunds += batch.notes.refunds.length
    }
    return { charges, notes, refunds }
  }

  /**
   * Decides and charges in one durable step; resolves after its commit.
   * @throws Error when the database failed or did not decide in time; nothing remains charged
   */
  charge(charge: ChargeRequest, client: WaitingClient | undefined): Promise<ChargeOutcome> {
    if (this.#isClosed) return Promise.reject(new Error('the ledger is closed'))
    if (!Number.isSafeInteger(charge.units))
      return Promise.reject(new BadEntry(`${charge.units} is not a number of units`))
    return new Promise((resolve, reject) => {
      const waiting: WaitingCharge = {
        charge,
        client,
        since: this.#clock.monotonicMs(),
        resolve: (outcome) => (waiting.isGivenUp ? this.#refundIfAdmitted(charge, outcome) : resolve(outcome)),
        reject,
        isGivenUp: false,
      }
      this.#charges.add(waiting)
      if (charge.keyed !== undefined) this.#notes.touch(charge.keyed.keyId, charge.at)
      this.#planPump()
    })
  }

  complete(ticket: Ticket, completion: Completion): void {
    if (ticket.kind === 'keyless') return // only the usage of its address is stored
    this.#notes.complete({ ticket, completion })
    this.#planTick()
  }

  /** Resolves when it is written, or when the first attempt has failed or takes too long and it remains queued. */
  refund(ticket: Ticket, completion: Completion): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(CHARGE_MS, resolve)
      const onTried = (): void => {
        cancel()
        resolve()
      }
      this.#notes.refund({ ticket, completion, onTried })
      if (this.#notes.isPaused) onTried() // others have just failed
      this.#planPump()
    })
  }

  recordRefusal(call: RefusedCall): void {
    this.#notes.refuse(call)
    this.#notes.touch(call.holder.keyId, call.at)
    this.#planTick()
  }

  /** Removes windows that have ended. */
  dropEndedWindows(at: number): void {
    this.#limiter.dropEnded(at)
    this.#notes.dropEnded(at)
  }

  /** Resolves when everything submitted so far has been written, or an attempt to write it has failed. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve)
      this.#planPump()
    })
  }

  /** Takes over what another process could not write before it stopped. */
  resume({ notes, batches }: Unwritten): void {
    this.#notes.requeue(notes)
    for (const batch of batches) {
      this.#inherited.add(batch)
      void this.#settle(batch)
    }
    this.#planPump()
  }

  /** Accepts no more charges and writes what is queued, within `timeoutMs`. */
  async close(timeoutMs: number): Promise<Unwritten> {
    this.#isClosed = true
    await withTimeout(this.#writeAll(), timeoutMs, this.#clock)
    this.#isAbandoned = true
    this.#writer.abandon()
    this.#cancelTick?.()
    return { notes: this.#notes.drain(), batches: [...[...this.#underWay].map(unsettled), ...this.#inherited] }
  }

  async #writeAll(): Promise<void> {
    await this.flush()
    while (!this.#isIdle && !this.#isAbandoned) {
      await sleep(this.#clock, TICK_MS)
      await this.flush()
    }
  }

  get #isIdle(): boolean {
    return this.#notes.isEmpty && this.#underWay.size === 0 && this.#inherited.size === 0
  }

  #planPump(): void {
    if (this.#isPumpPlanned) return
    this.#isPumpPlanned = true
    // After one turn of the event loop, so that requests that were read together are committed together.
    this.#clock.soon(() => {
      this.#isPumpPlanned = false
      this.#pump()
    })
  }

  #planTick(): void {
    if (this.#isAbandoned) return
    this.#cancelTick ??= this.#clock.after(TICK_MS, () => {
      this.#cancelTick = undefined
      this.#giveUpOldCharges()
      this.#pump()
    })
  }

  /** Sends as many batches as may be in progress. */
  #pump(): void {
    if (this.#isAbandoned) return
    while (this.#underWay.size - this.#settling < this.#concurrency) {
      const batch = this.#compose()
      if (batch === undefined) break
      void this.#work(batch)
    }
    const isWorking = this.#underWay.size > 0 || !this.#charges.isEmpty
    if (!isWorking && (this.#notes.isEmpty || this.#notes.isPaused)) {
      for (const resolve of this.#whenIdle.splice(0)) resolve()
    }
    if (isWorking || !this.#notes.isEmpty) this.#planTick()
  }

  /** The next batch: everything that waits and whose counter is free, or, alternately, a single note. */
  #compose(): Batch | undefined {
    const isBusy = (counter: string): boolean => this.#busy.has(counter)
    const options = { limiter: this.#limiter, newId: this.#newId, at: this.#clock.now() }
    this.#isTurnOfSingles = !this.#isTurnOfSingles
    const single = this.#isTurnOfSingles || this.#charges.isEmpty ? this.#notes.takeSingle(isBusy) : undefined
    if (single !== undefined) return compose([], single, options)
    const suspects = [...this.#underWay].filter(({ groups }) => groups.some((group) => this.#isSuspect(group))).length
    const maySuspect = suspects < Math.max(1, this.#concurrency - 1)
    for (;;) {
      const groups = this.#charges.next(isBusy, maySuspect)
      const notes = this.#takeNotes(groups)
      if (groups.length === 0 && isEmpty(notes)) return undefined
      const batch = compose(groups, notes, options)
      if (batch !== undefined) return batch // otherwise nobody waits for these any more
    }
  }

  /** Notes ride along with charges, or go alone if they have waited long enough. */
  #takeNotes(groups: readonly ChargeGroup[]): Notes {
    const isFlushing = this.#whenIdle.length > 0
    const rides = groups.length > 0 && !this.#notes.isPaused && !groups.some((group) => this.#isSuspect(group))
    if (!rides && !this.#notes.isDue(isFlushing)) return NO_NOTES
    const charged = new Set(groups.map(({ counter }) => counter))
    return this.#notes.take((counter) => this.#busy.has(counter) || charged.has(counter), isFlushing)
  }

  #isSuspect({ counter }: ChargeGroup): boolean {
    return this.#charges.isSuspect(counter)
  }

  async #work(batch: Batch): Promise<void> {
    const startedAt = this.#clock.monotonicMs()
    this.#underWay.add(batch)
    for (const counter of countersOf(batch)) this.#busy.add(counter)
    const result = await this.#writer.write(batch.rows).catch((error: unknown) => new Failure(error))
    this.#underWay.delete(batch)
    for (const counter of countersOf(batch)) this.#busy.delete(counter)
    if (result instanceof Failure) {
      for (const group of batch.groups) group.releaseReservations(this.#limiter)
      this.#failed(batch, result.error)
      this.#planPump()
      return
    }
    const charges = batch.groups.reduce((sum, { chosen }) => sum + chosen.length, 0)
    this.#written(batch, result)
    // If the next batch is as large, it goes out before the answers to this one, so that the disk does not wait for
    // them. Smaller ones would cost more than the wait.
    if (this.#charges.size >= charges) this.#pump()
    else this.#planPump()
    const durationMs = this.#clock.monotonicMs() - startedAt
    this.#report({ kind: 'written', charges, durationMs })
  }

  #written({ groups, notes }: Batch, answer: BatchAnswer): void {
    for (const { group, taken } of answersOf({ groups }, answer)) {
      if (taken === undefined) group.reject(new Error('a batch left a charge without an answer'))
      else if (group.learn(taken, this.#limiter)) this.#charges.retry(group)
      this.#charges.trust(group.counter)
    }
    callOnTried(notes)
    this.#notes.resume()
  }

  /** The batch was not written. */
  #failed({ groups, notes }: Batch, error: unknown): void {
    const isAlone = groups.length + sizeOf(notes) + notes.lastUses.length === 1
    if (error instanceof NotWritten) {
      for (const group of groups) this.#charges.retry(group)
      this.#notes.requeue(notes)
    } else if (error instanceof BadEntry && !(isAlone && groups.every(({ waiting }) => waiting.length === 1))) {
      for (const group of groups) this.#charges.retryIndividually(group)
      this.#notes.requeueIndividually(notes)
    } else if (error instanceof BadEntry) {
      for (const group of groups) group.reject(error)
      callOnTried(notes)
      if (!isEmpty(notes)) this.#report({ kind: 'note dropped', error })
    } else if (error instanceof Contended && !isAlone) {
      for (const group of groups) {
        this.#charges.suspect(group.counter)
        this.#charges.retry(group)
      }
      this.#notes.requeueIndividually(notes)
    } else {
      for (const group of groups) group.reject(error)
      this.#notes.requeue(notes)
      if (!isEmpty(notes)) this.#notes.pause()
      callOnTried(notes)
      this.#report({ kind: 'failed', error, state: this.ledgerState() })
    }
  }

  /** Determines the outcome of an inherited batch: its charges are refunded, or its notes written. */
  async #settle(batch: UnsettledBatch): Promise<void> {
    const answer = await this.#writer.settle(batch).catch(() => undefined)
    if (answer === undefined || this.#isAbandoned) return // the next process inquires again
    this.#inherited.delete(batch)
    if (answer === 'never') this.#notes.requeue(batch.notes)
    else {
      for (const { part, take, ticket } of batch.charges) {
        if (answer[part][take]?.[0] != null) void this.refund(ticket, GIVEN_UP)
      }
    }
    this.#planPump()
  }

  #giveUpOldCharges(): void {
    const since = this.#clock.monotonicMs() - CHARGE_MS
    this.#charges.giveUp(since)
    for (const { groups } of this.#underWay) for (const group of groups) group.giveUp(since)
  }

  #refundIfAdmitted(charge: ChargeRequest, { outcome }: ChargeOutcome): void {
    if (outcome === 'admitted') void this.refund(ticketOf(charge), GIVEN_UP)
  }
}

/** Tells those who wait for a refund that it was tried. */
function callOnTried({ refunds }: Notes): void {
  for (const { onTried } of refunds) onTried?.()
}
