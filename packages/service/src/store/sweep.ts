import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { dayOf } from './periods.ts'
import type { Schema, UsageDaysTable, UsageEventsTable } from './schema.ts'

/** Events that one transaction folds, so that the books are never held for long. */
const FOLDED_AT_ONCE = 2_000

type DaySum = Insertable<UsageDaysTable>

/**
 * Drops the budgets of keyless clients, and with them the hashes of their addresses, once their day is over.
 * @returns whether there were any
 */
export async function dropKeylessDays(kysely: Kysely<Schema>, now: number): Promise<boolean> {
  const { numDeletedRows } = await kysely.deleteFrom('keyless_days').where('day', '<', dayOf(now)).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Adds events from before that time to the sums of their days and removes them, some at a time. */
export async function foldEvents(kysely: Kysely<Schema>, before: number): Promise<void> {
  let folded = FOLDED_AT_ONCE
  while (folded === FOLDED_AT_ONCE) folded = await foldSome(kysely, before)
}

/** In one transaction events go and their days' sums grow: the books balance at every commit. */
function foldSome(kysely: Kysely<Schema>, before: number): Promise<number> {
  return kysely.transaction().execute(async (trx) => {
    const folded = await trx
      .deleteFrom('usage_events')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('usage_events').select('id').where('at', '<', before).orderBy('at').limit(FOLDED_AT_ONCE),
      )
      .returningAll()
      .execute()
    for (const sum of sumByDay(folded)) await addToDay(trx, sum)
    return folded.length
  })
}

/** The sums of events by account, day, key, mode and status, in one order for all instances. */
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
