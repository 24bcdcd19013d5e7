import type { FixedWindowLimiter } from '../limits/fixed-window-limiter.ts'
import { type ChargeGroup, ticketOf } from './charge-group.ts'
import { type BatchAnswer, type ChargeRow, emptyParts, type LedgerBatch } from './ledger-driver.ts'
import { counterOf, isEmpty, type Notes, writeNotes } from './notes.ts'
import type { Ticket } from './store.ts'

/** What one commit decides and records. */
export interface Batch {
  readonly groups: readonly ChargeGroup[]
  readonly notes: Notes
  readonly rows: LedgerBatch
}

export interface ComposeOptions {
  readonly limiter: FixedWindowLimiter
  readonly newId: () => string
  readonly at: number
}

/**
 * Chooses what the groups should charge, and adds the notes.
 * @returns undefined if nobody waits for the charges any more and there are no notes
 */
export function compose(
  candidates: readonly ChargeGroup[],
  notes: Notes,
  { limiter, newId, at }: ComposeOptions,
): Batch | undefined {
  const parts = emptyParts()
  const groups: ChargeGroup[] = []
  for (const group of candidates) {
    const take = group.choose(limiter)
    if (take === undefined) continue
    const takes = parts[partOf(group)]
    parts.charges.push(...chargeRows(group, takes.length))
    takes.push(take)
    groups.push(group)
  }
  if (groups.length === 0 && isEmpty(notes)) return undefined
  writeNotes(notes, parts)
  return { groups, notes, rows: { id: newId(), at, ...parts } }
}

/** Every counter that the batch touches. */
export function countersOf({ groups, notes }: Batch): readonly string[] {
  return [...groups.map(({ counter }) => counter), ...notes.refunds.map(({ ticket }) => counterOf(ticket))]
}

/** The answer to each group, in the order of the groups. */
export function* answersOf({ groups }: Pick<Batch, 'groups'>, answer: BatchAnswer): Generator<TakenGroup> {
  for (const [group, part, take] of placesOf(groups)) yield { group, taken: answer[part][take] }
}

interface TakenGroup {
  readonly group: ChargeGroup
  /** Undefined if the database left it out. */
  readonly taken: BatchAnswer['months'][number] | undefined
}

/** A batch whose outcome was unknown at shutdown. Plain data, so it can be written to a file. */
export interface UnsettledBatch extends Pick<LedgerBatch, 'id' | 'at'> {
  /**
   * Charges to refund if they were made, since nobody waits for them any more, and the position of each in the answer.
   */
  readonly charges: readonly { readonly part: keyof BatchAnswer; readonly take: number; readonly ticket: Ticket }[]
  /** To be written if the batch was not. */
  readonly notes: Notes
}

/** What the next process needs in order to settle a batch whose answer never came. */
export function unsettled({ groups, notes, rows }: Batch): UnsettledBatch {
  const charges = [...placesOf(groups)].flatMap(([group, part, take]) =>
    group.chosen.map((charge) => ({ part, take, ticket: ticketOf(charge) })),
  )
  return { id: rows.id, at: rows.at, charges, notes }
}

/** The positions of each group's charges in a batch and in its answer. */
function* placesOf(groups: readonly ChargeGroup[]): Generator<readonly [ChargeGroup, keyof BatchAnswer, number]> {
  const takes = { months: 0, days: 0 }
  for (const group of groups) {
    const part = partOf(group)
    yield [group, part, takes[part]]
    takes[part] += 1
  }
}

function partOf(group: ChargeGroup): keyof BatchAnswer {
  return group.isKeyed ? 'months' : 'days'
}

/** The events of the charges that a group tries; none for a keyless group. */
function chargeRows(group: ChargeGroup, take: number): readonly ChargeRow[] {
  return group.chosen.flatMap(({ id, counter, at, units, keyed }) =>
    keyed === undefined ? [] : [{ take, id, accountId: counter, keyId: keyed.keyId, at, ...keyed.call, units }],
  )
}
