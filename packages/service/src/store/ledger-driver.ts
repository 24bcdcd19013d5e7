import type { CallMode } from '@keepfirst/protocol'

/* The one seam through which the ledger reaches SQL. A batch is what one commit writes: plain rows. */

/** Units to be taken from a counter: an account's month, or the day of a keyless client. */
export interface Take {
  readonly counter: string
  /** `YYYY-MM` of an account, `YYYY-MM-DD` of a client. */
  readonly period: string
  /** Whole charges of this batch together, all or none of them. */
  readonly units: number
  /** The most that the counter may hold before; below 0 it is only read. */
  readonly room: number
}

/** A charge's event, written if the take at that position is. */
export interface ChargeRow {
  readonly take: number
  readonly id: string
  readonly accountId: string
  readonly keyId: string
  readonly at: number
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
}

export interface CompletionRow {
  readonly id: string
  readonly accountId: string
  readonly at: number
  readonly status: number
  readonly removed: number | null
  readonly durationMs: number
}

export interface RefundRow extends CompletionRow {
  readonly period: string
  readonly units: number
}

export interface DayRefundRow {
  readonly client: string
  readonly period: string
  readonly units: number
}

export interface RefusalRow {
  readonly accountId: string
  readonly keyId: string
  readonly at: number
  readonly mode: CallMode | null
  readonly rows: number | null
  readonly status: number
  readonly durationMs: number
}

/** Calls of one day that were refused alike and are counted together. */
export interface RefusalSumRow {
  readonly accountId: string
  readonly keyId: string
  readonly day: string
  readonly mode: CallMode | ''
  readonly status: number
  readonly calls: number
  readonly rows: number
}

export interface LastUseRow {
  readonly keyId: string
  readonly at: number
}

/** The parts of a batch, and what stands in each. */
export interface BatchRows {
  readonly months: Take
  readonly days: Take
  readonly charges: ChargeRow
  readonly completions: CompletionRow
  readonly refunds: RefundRow
  readonly dayRefunds: DayRefundRow
  readonly refusals: RefusalRow
  readonly refusalSums: RefusalSumRow
  readonly lastUses: LastUseRow
}
export type PartName = keyof BatchRows
export type BatchParts = { readonly [Name in PartName]: BatchRows[Name][] }

/** What one commit writes. No counter stands in it twice. */
export interface LedgerBatch extends BatchParts {
  /** Stays in the database for an hour, with the answer: what became of a batch can be asked for. */
  readonly id: string
  /** When it was made up. */
  readonly at: number
}

/** What a take found: the counter after it (null: it had no room, nothing was taken), and before it. */
export type TakeAnswer = readonly [after: number | null, before: number]

/** One answer a take, in the order of the takes. */
export interface BatchAnswer {
  readonly months: readonly TakeAnswer[]
  readonly days: readonly TakeAnswer[]
}

export interface LedgerDriver {
  /** How many batches may be under way at the same time. */
  readonly concurrency: number
  /**
   * Writes a batch in one durable commit, as a whole or not at all.
   * @throws BadEntry when a value is to blame; nothing was written
   * @throws Contended when another session holds one of the rows; nothing was written
   * @throws AnswerLost when it is not known whether it was written
   * @throws Error when the database failed; nothing was written
   */
  write(batch: LedgerBatch): Promise<BatchAnswer>
  /**
   * What became of a batch whose answer was lost: its answer, or `never` when it was not written, and from then on
   * never will be.
   * @throws Error when that can't be said now
   */
  settle(batch: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'>
}

/** The database will not take what an entry carries; its neighbours are not to blame. */
export class BadEntry extends Error {
  override readonly name = 'BadEntry'
}

/** A row of the batch is held by another session, longer than was waited for. */
export class Contended extends Error {
  override readonly name = 'Contended'
}

/** The commit was asked for, and no answer came. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** A batch in which nothing stands yet. */
export function emptyParts(): BatchParts {
  return {
    months: [],
    days: [],
    charges: [],
    completions: [],
    refunds: [],
    dayRefunds: [],
    refusals: [],
    refusalSums: [],
    lastUses: [],
  }
}
