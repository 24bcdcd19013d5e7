import {
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
} from 'kysely'
import { type Clock, sleep } from './clock.ts'
import { dayOf, HOUR_MS } from './periods.ts'
import type { Schema, UsageDaysTable, UsageEventsTable } from './schema.ts'
import { inTransaction } from './transaction.ts'

/** Events rolled up per transaction, so that nobody waits long for one. */
const EVENTS_AT_ONCE = 500
/**
 * How long batches are remembered. Lost answers are inquired about within seconds, but the clocks of the instance that
 * wrote a batch and of the one that forgets it may differ by hours.
 */
const BATCHES_KEPT_MS = 5 * HOUR_MS
const BATCHES_AT_ONCE = 2_000
/** A pause between pieces, so that others get their turn. */
const PAUSE_MS = 20

/**
 * How long the budgets of a day are kept after its end: its last charges may still be waiting, and an instance whose
 * clock is ahead must not end the day of another.
 */
export const KEYLESS_KEPT_HOURS = 1

type DaySum = Insertable<UsageDaysTable>

/**
 * Drops the budgets of keyless clients, and with them the hashes of their addresses, `KEYLESS_KEPT_HOURS` after their
 * day.
 * @returns whether there were any
 */
export async function dropKeylessDays(kysely: Kysely<Schema>, now: number): Promise<boolean> {
  const firstKept = dayOf(now - KEYLESS_KEPT_HOURS * HOUR_MS)
  const { numDeletedRows } = await kysely.deleteFrom('keyless_days').where('day', '<', firstKept).executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Adds events from before a time, and those of deleted accounts, to the totals of their days and removes them; forgets
 * the outcome of old batches. Works in small pieces.
 * @param shouldContinue whether to go on; called before each piece
 */
export async function pruneLedger(
  kysely: Kysely<Schema>,
  { clock, shouldContinue, now, eventsBefore }: PruneOptions,
): Promise<void> {
  const pieces = [
    { limit: EVENTS_AT_ONCE, work: () => rollUpSome(kysely, ({ eb }) => eb('at', '<', eventsBefore)) },
    { limit: EVENTS_AT_ONCE, work: () => rollUpSome(kysely, ofDeletedAccounts) },
    { limit: BATCHES_AT_ONCE, work: () => forgetSomeBatches(kysely, now - BATCHES_KEPT_MS) },
  ]
  for (const { limit, work } of pieces) {
    while (shouldContinue() && (await work()) === limit) await sleep(clock, PAUSE_MS)
  }
  await deleteStaleSums(kysely, eventsBefore)
}

export interface PruneOptions {
  readonly clock: Clock
  readonly shouldContinue: () => boolean
  readonly now: number
  readonly eventsBefore: number
}

/**
 * Removes events and adds them to their days' totals in one transaction, so that the ledger balances at every commit.
 */
function rollUpSome(kysely: Kysely<Schema>, condition: EventCondition): Promise<number> {
  return inTransaction(kysely, async (trx) => {
    const rolledUp = await trx
      .deleteFrom('usage_events')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('usage_events').select('id').where(condition).orderBy('at').limit(EVENTS_AT_ONCE),
      )
      .returningAll()
      .execute()
    for (const sum of sumByDay(rolledUp)) await addToDay(trx, sum)
    return rolledUp.length
  })
}

type EventCondition = (builder: ExpressionBuilder<Schema, 'usage_events'>) => Expression<SqlBool>

/** The totals of a deleted account are kept, but its individual calls are not. */
const ofDeletedAccounts: EventCondition = ({ eb, selectFrom }) =>
  eb('account_id', 'in', selectFrom('accounts').select('accounts.id').where('accounts.deleted_at', 'is not', null))

/**
 * Once a day's events are all gone, its sums are zero, or were left behind by an older program, which drops partitions
 * without updating them.
 */
async function deleteStaleSums(kysely: Kysely<Schema>, eventsBefore: number): Promise<void> {
  await kysely
    .deleteFrom('usage_sums')
    .where('day', '<', dayOf(eventsBefore))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('usage_events').select('at').where('at', '<', eventsBefore))),
    )
    .execute()
}

async function forgetSomeBatches(kysely: Kysely<Schema>, before: number): Promise<number> {
  const { numDeletedRows } = await kysely
    .deleteFrom('ledger_batches')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('at', 'id'),
        'in',
        selectFrom('ledger_batches')
          .select(['at', 'id'])
          .where('at', '<', before)
          .orderBy('at')
          .limit(BATCHES_AT_ONCE)
          .$asTuple('at', 'id'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The totals of events by account, day, key, mode and status, in the same order on all instances. */
function sumByDay(events: readonly Selectable<UsageEventsTable>[]): readonly DaySum[] {
  const sums = new Map<string, DaySum>()
  for (const event of events) {
    const { account_id, key_id, units } = event
    const place = {
      account_id,
      day: dayOf(event.at),
      key_id,
      mode: event.mode ?? ('' as const),
      status: event.status ?? 0,
    }
    const name = JSON.stringify(Object.values(place))
    const sum = sums.get(name) ?? { ...place, calls: 0, rows: 0, removed: 0, units: 0 }
    sum.calls += 1
    sum.rows += event.rows ?? 0
    sum.removed += event.removed ?? 0
    sum.units += units
    sums.set(name, sum)
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

async function addToDay(kysely: Kysely<Schema>, sum: DaySum): Promise<void> {
  await kysely
    .insertInto('usage_days')
    .values(sum)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day', 'key_id', 'mode', 'status']).doUpdateSet({
        calls: sql`usage_days.calls + excluded.calls`,
        rows: sql`usage_days.rows + excluded.rows`,
        removed: sql`usage_days.removed + excluded.removed`,
        units: sql`usage_days.units + excluded.units`,
      }),
    )
    .execute()
}
