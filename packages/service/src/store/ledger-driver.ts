import type { CallMode } from '@keepfirst/protocol'

/* The only interface through which the ledger reaches SQL. A batch is what one commit writes: plain rows. */

/** Units to charge to a counter: an account's month, or the day of a keyless client. */
export interface Take {
  readonly counter: string
  /** `YYYY-MM` for an account, `YYYY-MM-DD` for a client. */
  readonly period: string
  /** The sum of whole charges in this batch, taken all together or not at all. */
  readonly units: number
  /** The highest value of the counter at which to take them; if negative, the counter is only read. */
  readonly room: number
}

/** A charge's event, written if its take succeeds. */
export interface ChargeRow {
  /** The position of its take in `months`. */
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

/** Calls of one day that were refused in the same way and are counted together. */
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

/** The parts of a batch and their rows. */
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

/** What one commit writes. No counter occurs in it twice. */
export interface LedgerBatch extends BatchParts {
  /** Kept in the database with the answer for some hours, so that the outcome of the batch can be looked up. */
  readonly id: string
  /** When it was composed. */
  readonly at: number
}

/** The counter after a take (null if there was no room and nothing was taken), and before it. */
export type TakeAnswer = readonly [after: number | null, before: number]

/** The answers to the takes, in the same order. */
export interface BatchAnswer {
  readonly months: readonly TakeAnswer[]
  readonly days: readonly TakeAnswer[]
}

export interface LedgerDriver {
  /** How many batches may be in progress at the same time. */
  readonly concurrency: number
  /**
   * Writes a batch in one durable commit, as a whole or not at all.
   * @throws BadEntry when a value is to blame; nothing was written
   * @throws Contended when another session holds one of the rows; nothing was written
   * @throws AnswerLost when it is unknown whether it was written
   * @throws Error when the database failed; nothing was written
   */
  write(batch: LedgerBatch): Promise<BatchAnswer>
  /**
   * The outcome of a batch whose answer was lost: its answer, or `never` if it was not written, in which case it can
   * never be written afterwards.
   * @throws Error when the outcome cannot be determined now
   */
  settle(batch: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'>
}

/** The database rejects the content of an entry; other entries are not to blame. */
export class BadEntry extends Error {
  override readonly name = 'BadEntry'
}

/** Another session held a row of the batch for too long. */
export class Contended extends Error {
  override readonly name = 'Contended'
}

/** The commit was sent, but no answer arrived. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}

/** An empty batch. */
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
