import { FixedWindowLimiter } from '../limits/fixed-window-limiter.ts'
import { CertainWriter, NeverWritten } from './certain-writer.ts'
import { ChargeGroup, type ChargeOutcome, type ChargeRequest, type WaitingCharge } from './charge-group.ts'
import { ChargeQueue } from './charge-queue.ts'
import { type Clock, sleep } from './clock.ts'
import { identifiers, type RandomBytes } from './identifiers.ts'
import {
  BadEntry,
  type BatchAnswer,
  type ChargeRow,
  Contended,
  emptyParts,
  type LedgerBatch,
  type LedgerDriver,
} from './ledger-driver.ts'
import { counterOf, isEmpty, NO_NOTES, NoteQueue, type Notes, singly, sizeOf, writeNotes } from './notes.ts'
import type { Completion, KeyedTicket, Presence, RefusedCall, Ticket } from './store.ts'

/** Nobody waits longer. A charge that is not decided by then is given up; should it be committed all the same, it is given back. */
const CHARGE_MS = 5_000
/** While anything waits, the ledger looks so often whether its time has come. */
const TICK_MS = 25
/** What a charge that was given up and committed ends with: its caller has heard 503. */
const GIVEN_UP: Completion = { status: 503, removed: null, durationMs: CHARGE_MS }

/** What the ledger tells of its work, for logs and metrics. */
export type LedgerReport =
  | { readonly kind: 'written'; readonly charges: number; readonly notes: number; readonly durationMs: number }
  /** The database failed; nothing was written. Charges were rejected, notes stay queued. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly state: LedgerState }
  /** A commit was asked for and no answer came; `settled` tells later what became of it. */
  | { readonly kind: 'answer lost'; readonly error: unknown }
  | { readonly kind: 'settled'; readonly wasWritten: boolean }
  /** The database will never take it. */
  | { readonly kind: 'note dropped'; readonly error: unknown }

/** How much waits to be written. */
export interface LedgerState {
  readonly charges: number
  /** Completions, refunds and refusals. */
  readonly notes: number
  readonly refunds: number
}

export interface LedgerOptions {
  readonly driver: LedgerDriver
  readonly clock: Clock
  readonly randomBytes: RandomBytes
  readonly report: (report: LedgerReport) => void
}

/** What one commit decides and notes. */
interface Batch {
  readonly groups: readonly ChargeGroup[]
  readonly notes: Notes
  readonly rows: LedgerBatch
}

/** What a write ended with instead of an answer. */
class Failure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

/**
 * The ledger: what is charged, given back, completed and refused.
 *
 * Group commit: what comes while a commit is under way goes into the next one together, so that throughput does not
 * hang on one wait for the disk a charge. Several commits may be under way, none of them with a counter of another.
 * A charge is answered after its own commit. Notes (completions, refunds, refusals, last uses) ride along, and are
 * tried until they are written.
 */
export class Ledger {
  readonly #concurrency: number
  readonly #writer: CertainWriter
  readonly #clock: Clock
  readonly #report: (report: LedgerReport) => void
  readonly #newId: () => string
  readonly #limiter = new FixedWindowLimiter()
  readonly #charges: ChargeQueue
  readonly #notes: NoteQueue
  /** Batches that are being written. */
  readonly #underWay = new Set<Batch>()
  /** Batches that are under way, and how many of these only wait for an answer that was lost. */
  #batchesOut = 0
  #settling = 0
  /** Counters of these batches. */
  readonly #busy = new Set<string>()
  readonly #whenIdle: (() => void)[] = []
  #isPumpPlanned = false
  #cancelTick: (() => void) | undefined
  #isClosed = false
  #isAbandoned = false

  constructor({ driver, clock, randomBytes, report }: LedgerOptions) {
    this.#concurrency = driver.concurrency
    this.#writer = new CertainWriter({
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
    this.#newId = identifiers(randomBytes)
    this.#charges = new ChargeQueue(clock)
    this.#notes = new NoteQueue(clock)
  }

  get state(): LedgerState {
    let [charges, notes, refunds] = [this.#charges.size, this.#notes.size, this.#notes.refunds]
    for (const batch of this.#underWay) {
      for (const group of batch.groups) charges += group.waiting.length
      notes += sizeOf(batch.notes)
      refunds += batch.notes.refunds.length
    }
    return { charges, notes, refunds }
  }

  /** An identifier that no other charge has. */
  newId(): string {
    return this.#newId()
  }

  /**
   * Decides and takes in one durable step; resolves after its own commit.
   * @throws Error nothing stays taken: the database failed, or did not decide in time
   */
  charge(charge: ChargeRequest, presence: Presence | undefined): Promise<ChargeOutcome> {
    if (this.#isClosed) return Promise.reject(new Error('the ledger is closed'))
    if (!Number.isSafeInteger(charge.units)) return Promise.reject(new BadEntry(`${charge.units} are no units`))
    return new Promise((resolve, reject) => {
      const waiting: WaitingCharge = {
        charge,
        presence,
        since: this.#clock.monotonicMs(),
        resolve: (outcome) => (waiting.isGivenUp ? this.#giveBack(charge, outcome) : resolve(outcome)),
        reject,
        isGivenUp: false,
      }
      this.#charges.add(waiting)
      if (charge.keyed !== undefined) this.#notes.touch(charge.keyed.keyId, charge.at)
      this.#planPump()
    })
  }

  complete(ticket: KeyedTicket, completion: Completion): void {
    this.#notes.complete({ ticket, completion })
    this.#planTick()
  }

  /** Resolves when it is written, or when the first attempt has failed or takes too long and it stays queued. */
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

  refuse(call: RefusedCall): void {
    this.#notes.refuse(call)
    this.#notes.touch(call.holder.keyId, call.at)
    this.#planTick()
  }

  /** Forgets windows that have ended. */
  dropEndedWindows(at: number): void {
    this.#limiter.dropEnded(at)
    this.#notes.dropEnded(at)
  }

  /** Resolves when all that was handed in has been written, or when an attempt to write it has failed. */
  flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenIdle.push(resolve)
      this.#planPump()
    })
  }

  /**
   * Takes no more charges and writes what is queued, for `timeoutMs` at most.
   * @returns the notes that could not be written
   */
  async close(timeoutMs: number): Promise<Notes> {
    this.#isClosed = true
    const until = this.#clock.monotonicMs() + timeoutMs
    let stopWaiting = (): void => {}
    const late = new Promise<void>((resolve) => {
      stopWaiting = this.#clock.after(timeoutMs, resolve)
    })
    await Promise.race([late, this.flush()])
    while (this.#clock.monotonicMs() < until && (!this.#notes.isEmpty || this.#batchesOut > 0)) {
      await Promise.race([late, sleep(this.#clock, TICK_MS).then(() => this.flush())])
    }
    this.#isAbandoned = true
    this.#writer.abandon()
    this.#cancelTick?.()
    stopWaiting() // a process ends only after its timers
    for (const { notes } of this.#underWay) this.#notes.putBack(notes)
    return this.#notes.take(() => false, true)
  }

  #planPump(): void {
    if (this.#isPumpPlanned) return
    this.#isPumpPlanned = true
    // One turn of the event loop, so that requests that were read together are committed together.
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

  /** Sends out as many batches as may be under way. */
  #pump(): void {
    while (this.#batchesOut - this.#settling < this.#concurrency) {
      const batch = this.#compose()
      if (batch === undefined) break
      this.#batchesOut += 1
      for (const counter of countersOf(batch)) this.#busy.add(counter)
      void this.#work(batch).then(() => {
        this.#batchesOut -= 1
        for (const counter of countersOf(batch)) this.#busy.delete(counter)
        this.#planPump()
      })
    }
    const isWorking = this.#batchesOut > 0 || !this.#charges.isEmpty
    if (!isWorking && (this.#notes.isEmpty || this.#notes.isPaused)) {
      for (const resolve of this.#whenIdle.splice(0)) resolve()
    }
    if (isWorking || !this.#notes.isEmpty) this.#planTick()
  }

  /** What the next commit holds: all that waits and whose counter is free. */
  #compose(): Batch | undefined {
    const suspects = [...this.#underWay].filter(({ groups }) => groups.some((group) => this.#isSuspect(group))).length
    const maySuspect = suspects < Math.max(1, this.#concurrency - 1)
    const groups = this.#charges.next((counter) => this.#busy.has(counter), maySuspect)
    return this.#batchOf(groups, this.#takeNotes(groups))
  }

  /** Undefined when nobody waits for the charges any more and there is nothing to note. */
  #batchOf(candidates: readonly ChargeGroup[], notes: Notes): Batch | undefined {
    const parts = emptyParts()
    const groups: ChargeGroup[] = []
    for (const group of candidates) {
      const take = group.choose(this.#limiter)
      if (take === undefined) continue
      const takes = group.isKeyed ? parts.months : parts.days
      parts.charges.push(...chargeRows(group, takes.length))
      takes.push(take)
      groups.push(group)
    }
    if (groups.length === 0 && isEmpty(notes)) return undefined
    writeNotes(notes, parts)
    return { groups, notes, rows: { id: this.#newId(), at: this.#clock.now(), ...parts } }
  }

  /** Notes ride along with charges, and go alone when they have waited long enough for some. */
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
    const result = await this.#writer.write(batch.rows).catch((error: unknown) => new Failure(error))
    this.#underWay.delete(batch)
    if (result instanceof Failure) {
      for (const group of batch.groups) group.releaseReservations(this.#limiter)
      await this.#failed(batch, result.error)
      return
    }
    const charges = batch.groups.reduce((sum, { chosen }) => sum + chosen.length, 0)
    this.#written(batch, result)
    const durationMs = this.#clock.monotonicMs() - startedAt
    this.#report({ kind: 'written', charges, notes: sizeOf(batch.notes), durationMs })
  }

  #written({ groups, notes }: Batch, answer: BatchAnswer): void {
    const answers = { months: answer.months.values(), days: answer.days.values() }
    for (const group of groups) {
      const { value } = (group.isKeyed ? answers.months : answers.days).next()
      if (value === undefined) group.reject(new Error('a batch left a charge without an answer'))
      else if (group.learn(value, this.#limiter)) this.#charges.tryAgain(group)
      this.#charges.trust(group.counter)
    }
    for (const { onTried } of notes.refunds) onTried()
    this.#notes.resume()
  }

  /** Nothing of the batch was written. */
  async #failed({ groups, notes }: Batch, error: unknown): Promise<void> {
    const isAlone = groups.length + sizeOf(notes) + notes.lastUses.length === 1
    if (error instanceof NeverWritten) {
      for (const group of groups) this.#charges.tryAgain(group)
      this.#notes.putBack(notes)
    } else if (error instanceof BadEntry && !(isAlone && groups.every(({ waiting }) => waiting.length === 1))) {
      await this.#workSingly(groups, notes)
    } else if (error instanceof BadEntry) {
      for (const group of groups) group.reject(error)
      for (const { onTried } of notes.refunds) onTried()
      if (!isEmpty(notes)) this.#report({ kind: 'note dropped', error })
    } else if (error instanceof Contended && !isAlone) {
      for (const group of groups) {
        this.#charges.suspect(group.counter)
        this.#charges.tryAgain(group)
      }
      await this.#workSingly([], notes)
    } else {
      for (const group of groups) group.reject(error)
      this.#notes.putBack(notes)
      if (!isEmpty(notes)) this.#notes.pause()
      for (const { onTried } of notes.refunds) onTried()
      this.#report({ kind: 'failed', error, state: this.state })
    }
  }

  /** One by one, so that one that fails does not spoil its neighbours. */
  async #workSingly(groups: readonly ChargeGroup[], notes: Notes): Promise<void> {
    for (const waiting of groups.flatMap((group) => group.waiting)) {
      const batch = this.#batchOf([new ChargeGroup([waiting])], NO_NOTES)
      if (batch !== undefined) await this.#work(batch)
    }
    for (const note of singly(notes)) {
      const batch = this.#batchOf([], note)
      if (batch !== undefined) await this.#work(batch)
    }
  }

  #giveUpOldCharges(): void {
    const since = this.#clock.monotonicMs() - CHARGE_MS
    const error = new Error('the database did not decide in time')
    this.#charges.giveUp(since, error)
    for (const { groups } of this.#underWay) for (const group of groups) group.giveUp(since, error)
  }

  #giveBack(charge: ChargeRequest, { outcome }: ChargeOutcome): void {
    if (outcome === 'admitted') void this.refund(ticketOf(charge), GIVEN_UP)
  }
}

/** The events of what a group tries, none of a keyless one. */
function chargeRows(group: ChargeGroup, take: number): readonly ChargeRow[] {
  return group.chosen.flatMap(({ id, counter, at, units, keyed }) =>
    keyed === undefined ? [] : [{ take, id, accountId: counter, keyId: keyed.keyId, at, ...keyed.call, units }],
  )
}

/** Names an admitted charge, so that it can be completed or refunded. */
export function ticketOf({ id, counter, period, at, units, keyed }: ChargeRequest): Ticket {
  if (keyed === undefined) return { kind: 'keyless', client: counter, period, units }
  return { kind: 'keyed', chargeId: id, accountId: counter, at, units }
}

function countersOf({ groups, notes }: Batch): readonly string[] {
  return [...groups.map(({ counter }) => counter), ...notes.refunds.map(({ ticket }) => counterOf(ticket))]
}
