import { FixedWindowLimiter } from '../limits/fixed-window-limiter.ts'
import type { Clock } from './clock.ts'
import type { BatchParts, CompletionRow, LastUseRow, RefusalRow, RefusalSumRow } from './ledger-driver.ts'
import { dayOf, monthOf } from './periods.ts'
import type { Completion, KeyedTicket, RefusedCall, Ticket } from './store.ts'

/**
 * How many refused calls per key are stored individually; further ones are only counted, so that they cannot fill the
 * disk.
 */
export const SINGLE_REFUSALS = { requests: 100, windowSeconds: 3_600 } as const

/** The most notes of each kind per commit, which limits the time that it takes. */
const MAX_NOTES = 512
/** How long notes wait for a charge to ride along with; refunds do not wait. */
const LINGER_MS = 25
const LAST_USES_EVERY_MS = 5_000
/** Failed writes are retried after pauses that double. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000

export interface CompletionNote {
  readonly ticket: KeyedTicket
  readonly completion: Completion
}

export interface RefundNote {
  readonly ticket: Ticket
  readonly completion: Completion
  /** Called once it is written, or once the first attempt has failed. Absent if nobody waits. */
  readonly onTried?: () => void
}

/** Entries that are only recorded and decide nothing. */
export interface Notes {
  readonly completions: readonly CompletionNote[]
  readonly refunds: readonly RefundNote[]
  readonly refusals: readonly RefusedCall[]
  readonly refusalSums: readonly RefusalSumRow[]
  readonly lastUses: readonly LastUseRow[]
}

export const NO_NOTES: Notes = { completions: [], refunds: [], refusals: [], refusalSums: [], lastUses: [] }

/**
 * Entries to be written that nobody waits for: they go out with the next commit, and stay here until it has succeeded.
 */
export class NoteQueue {
  readonly #clock: Clock
  #completions: CompletionNote[] = []
  #refunds: RefundNote[] = []
  #refusals: RefusedCall[] = []
  /** Notes to be written separately, one per batch. */
  #single: Notes[] = []
  readonly #refusalSums = new Map<string, RefusalSumRow>()
  readonly #lastUses = new Map<string, number>()
  readonly #singleRefusals = new FixedWindowLimiter()
  #oldestAt: number | undefined
  #lastUsesAt: number
  #pauseMs = 0
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(clock: Clock) {
    this.#clock = clock
    this.#lastUsesAt = clock.monotonicMs()
  }

  /** The number of waiting notes, not counting last uses of keys. */
  get size(): number {
    const single = this.#single.reduce((sum, note) => sum + sizeOf(note), 0)
    return single + this.#completions.length + this.#refunds.length + this.#refusals.length + this.#refusalSums.size
  }

  /** The number of waiting refunds. */
  get refunds(): number {
    return this.#refunds.length + this.#single.filter(({ refunds }) => refunds.length > 0).length
  }

  get isEmpty(): boolean {
    return this.size === 0 && this.#lastUses.size === 0 && this.#single.length === 0
  }

  /** The last write failed, and it is too early for the next attempt. */
  get isPaused(): boolean {
    return this.#clock.monotonicMs() < this.#pausedUntil
  }

  complete(note: CompletionNote): void {
    this.#completions.push(note)
    this.#oldestAt ??= this.#clock.monotonicMs()
  }

  refund(note: RefundNote): void {
    this.#refunds.push(note)
  }

  refuse(call: RefusedCall): void {
    if (this.#singleRefusals.take(call.holder.keyId, SINGLE_REFUSALS, call.at)) this.#refusals.push(call)
    else this.#count(sumOf(call))
    this.#oldestAt ??= this.#clock.monotonicMs()
  }

  /** Records when a key was used. */
  touch(keyId: string, at: number): void {
    const known = this.#lastUses.get(keyId)
    if (known === undefined || known < at) this.#lastUses.set(keyId, at)
  }

  /** Removes windows that have ended. */
  dropEnded(at: number): void {
    this.#singleRefusals.dropEnded(at)
  }

  /** Whether notes should be written even without a charge to ride along with. */
  isDue(isFlushing: boolean): boolean {
    if (this.isPaused) return false
    if (isFlushing) return !this.isEmpty
    if (this.#refunds.length > 0 || this.#areLastUsesDue()) return true
    return this.#oldestAt !== undefined && this.#clock.monotonicMs() - this.#oldestAt >= LINGER_MS
  }

  /** Takes out what one commit may write, without refunds of busy counters. */
  take(isBusy: (counter: string) => boolean, isFlushing: boolean): Notes {
    if (this.isEmpty) return NO_NOTES
    const refunds: RefundNote[] = []
    const later: RefundNote[] = []
    for (const note of this.#refunds) {
      const mayGo = refunds.length < MAX_NOTES && !isBusy(counterOf(note.ticket))
      ;(mayGo ? refunds : later).push(note)
    }
    this.#refunds = later
    const refusalSums = [...this.#refusalSums.values()]
    this.#refusalSums.clear()
    const completions = this.#completions.splice(0, MAX_NOTES)
    const refusals = this.#refusals.splice(0, MAX_NOTES)
    if (this.#completions.length + this.#refusals.length === 0) this.#oldestAt = undefined
    const lastUses = isFlushing || this.#areLastUsesDue() ? this.#takeLastUses() : []
    return { completions, refunds, refusals, refusalSums, lastUses }
  }

  /** Takes out the next note to be written alone whose counter is not busy. */
  takeSingle(isBusy: (counter: string) => boolean): Notes | undefined {
    const index = this.#single.findIndex(({ refunds }) => !refunds.some(({ ticket }) => isBusy(counterOf(ticket))))
    return index === -1 ? undefined : this.#single.splice(index, 1)[0]
  }

  /** Takes out everything. */
  drain(): Notes {
    for (const note of this.#single.splice(0)) this.requeue(note)
    const notes = {
      completions: this.#completions,
      refunds: this.#refunds,
      refusals: this.#refusals,
      refusalSums: [...this.#refusalSums.values()],
      lastUses: this.#takeLastUses(),
    }
    this.#completions = []
    this.#refunds = []
    this.#refusals = []
    this.#refusalSums.clear()
    return notes
  }

  /** Puts notes that could not be written at the front of the queue. */
  requeue(notes: Notes): void {
    this.#completions = [...notes.completions, ...this.#completions]
    this.#refunds = [...notes.refunds, ...this.#refunds]
    this.#refusals = [...notes.refusals, ...this.#refusals]
    for (const sum of notes.refusalSums) this.#count(sum)
    for (const { keyId, at } of notes.lastUses) this.touch(keyId, at)
    if (this.size > 0) this.#oldestAt ??= this.#clock.monotonicMs()
  }

  /**
   * Called if the database rejects one of them, or cannot write it now: each is tried separately, so that it does not
   * affect the others.
   */
  requeueIndividually(notes: Notes): void {
    this.#single.push(...splitNotes(notes))
  }

  /** A write has failed: the next attempt is made after a pause. */
  pause(): void {
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs === 0 ? FIRST_PAUSE_MS : this.#pauseMs * 2)
    this.#pausedUntil = this.#clock.monotonicMs() + this.#pauseMs
  }

  /** A write has succeeded. */
  resume(): void {
    this.#pauseMs = 0
    this.#pausedUntil = Number.NEGATIVE_INFINITY
  }

  #areLastUsesDue(): boolean {
    return this.#lastUses.size > 0 && this.#clock.monotonicMs() - this.#lastUsesAt >= LAST_USES_EVERY_MS
  }

  #takeLastUses(): readonly LastUseRow[] {
    const lastUses = [...this.#lastUses].map(([keyId, at]) => ({ keyId, at }))
    this.#lastUses.clear()
    this.#lastUsesAt = this.#clock.monotonicMs()
    return lastUses
  }

  #count(row: RefusalSumRow): void {
    const name = JSON.stringify([row.accountId, row.day, row.keyId, row.mode, row.status])
    const sum = this.#refusalSums.get(name)
    const calls = row.calls + (sum?.calls ?? 0)
    this.#refusalSums.set(name, { ...row, calls, rows: row.rows + (sum?.rows ?? 0) })
  }
}

/** The counter that a ticket's units were charged to. */
export function counterOf(ticket: Ticket): string {
  return ticket.kind === 'keyed' ? ticket.accountId : ticket.client
}

/** The number of notes, not counting last uses of keys. */
export function sizeOf({ completions, refunds, refusals, refusalSums }: Notes): number {
  return completions.length + refunds.length + refusals.length + refusalSums.length
}

/** Whether there are no notes, not even last uses of keys. */
export function isEmpty(notes: Notes): boolean {
  return sizeOf(notes) + notes.lastUses.length === 0
}

/** Splits notes into single ones, for when the database rejects one of them. */
function splitNotes(notes: Notes): readonly Notes[] {
  return [
    ...notes.completions.map((note) => ({ ...NO_NOTES, completions: [note] })),
    ...notes.refunds.map((note) => ({ ...NO_NOTES, refunds: [note] })),
    ...notes.refusals.map((call) => ({ ...NO_NOTES, refusals: [call] })),
    ...notes.refusalSums.map((row) => ({ ...NO_NOTES, refusalSums: [row] })),
    ...notes.lastUses.map((row) => ({ ...NO_NOTES, lastUses: [row] })),
  ]
}

/** Adds notes to the rows of a batch. */
export function writeNotes(notes: Notes, parts: BatchParts): void {
  for (const { ticket, completion } of notes.completions) parts.completions.push(completionRow(ticket, completion))
  for (const { ticket, completion } of notes.refunds) {
    if (ticket.kind === 'keyless') {
      parts.dayRefunds.push({ client: ticket.client, period: ticket.period, units: ticket.units })
    } else {
      parts.refunds.push({ ...completionRow(ticket, completion), period: monthOf(ticket.at), units: ticket.units })
    }
  }
  parts.refusals.push(...notes.refusals.map(refusalRow))
  parts.refusalSums.push(...notes.refusalSums)
  parts.lastUses.push(...notes.lastUses)
}

function completionRow({ chargeId, accountId, at }: KeyedTicket, completion: Completion): CompletionRow {
  const { status, removed, durationMs } = completion
  return { id: chargeId, accountId, at, status, removed, durationMs: Math.round(durationMs) }
}

function refusalRow({ holder, at, mode, rows, status, durationMs }: RefusedCall): RefusalRow {
  const { accountId, keyId } = holder
  return { accountId, keyId, at, mode, rows, status, durationMs: Math.round(durationMs) }
}

function sumOf({ holder, at, mode, status, rows }: RefusedCall): RefusalSumRow {
  const { accountId, keyId } = holder
  return { accountId, keyId, day: dayOf(at), mode: mode ?? '', status, calls: 1, rows: rows ?? 0 }
}
