import { type Kysely, sql } from 'kysely'
import type { PartitionMaintenance } from './database.ts'
import { DAY_MS, dayOf } from './periods.ts'
import type { Schema } from './schema.ts'
import { sqlStateOf } from './sql-state.ts'
import { inTransaction } from './transaction.ts'

/*
 * On PostgreSQL, events are in one partition per day. Partitions for coming days are created in advance; old ones are
 * added to the daily totals and dropped, which takes no longer than reading their events once.
 */

/** After a longer outage, the service's next events go to the default partition. */
const DAYS_AHEAD = 3

/** SQLSTATEs that postpone the work: no permission, rows in the way, another instance was first, or a lock. */
const NOT_NOW = ['42501', '23514', '42P07', '42P01', '55P03']

type Work = (kysely: Kysely<Schema>) => Promise<void>

/**
 * Creates missing partitions for the coming days, and drops those of days that are old enough. Where that is not
 * possible, events go to the default partition and are removed from it one by one.
 * @param withoutTimeout runs work that may take a long time
 */
export async function maintainPartitions(
  kysely: Kysely<Schema>,
  withoutTimeout: (work: Work) => Promise<void>,
  { now, eventsBefore, shouldContinue }: PartitionMaintenance,
): Promise<void> {
  const known = await partitions(kysely)
  const missing = daysAhead(now).filter((day) => !known.some(({ start, end }) => start <= day && day < end))
  const old = known.filter(({ end }) => end <= eventsBefore)
  const pieces: Work[] = [
    ...missing.map(
      (day): Work =>
        (connection) =>
          makePartition(connection, day),
    ),
    ...old.map(
      (partition): Work =>
        (connection) =>
          dropPartition(connection, partition),
    ),
  ]
  if (pieces.length === 0) return
  await withoutTimeout(async (connection) => {
    for (const piece of pieces) if (shouldContinue()) await attempt(() => piece(connection))
  })
}

function daysAhead(now: number): readonly number[] {
  return Array.from({ length: DAYS_AHEAD }, (_, i) => Date.parse(dayOf(now)) + (i + 1) * DAY_MS)
}

function nameOf(day: number): string {
  return `usage_events_${dayOf(day).replaceAll('-', '')}`
}

async function makePartition(kysely: Kysely<Schema>, day: number): Promise<void> {
  await sql`set lock_timeout = 1000`.execute(kysely)
  await sql`create table ${sql.table(nameOf(day))} partition of usage_events
    for values from (${sql.lit(day)}) to (${sql.lit(day + DAY_MS)})`.execute(kysely)
}

/**
 * Removes events and adds them to their day's totals in one transaction, so that the ledger balances at every commit.
 */
function dropPartition(kysely: Kysely<Schema>, { name, start, end }: Partition): Promise<void> {
  return inTransaction(kysely, async (trx) => {
    await sql`set local lock_timeout = 1000`.execute(trx)
    await sql`lock table ${sql.table(name)} in share row exclusive mode`.execute(trx)
    await sql`insert into usage_days as d (account_id, key_id, day, mode, status, calls, rows, removed, units)
      select account_id, key_id, to_char(to_timestamp(at / 1000) at time zone 'UTC', 'YYYY-MM-DD'), coalesce(mode, ''),
        coalesce(status, 0), count(*), coalesce(sum(rows), 0), coalesce(sum(removed), 0), sum(units)
      from ${sql.table(name)} group by 1, 2, 3, 4, 5 order by 1, 3, 2, 4, 5
      on conflict (account_id, day, key_id, mode, status) do update set calls = d.calls + excluded.calls,
        rows = d.rows + excluded.rows, removed = d.removed + excluded.removed, units = d.units + excluded.units`.execute(
      trx,
    )
    await sql`drop table ${sql.table(name)}`.execute(trx) // fires no trigger
    await trx.deleteFrom('usage_sums').where('day', '>=', dayOf(start)).where('day', '<', dayOf(end)).execute()
  })
}

async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!NOT_NOW.includes(sqlStateOf(error) ?? '')) throw error
  }
}

interface Partition {
  readonly name: string
  /** The start of its range of times. */
  readonly start: number
  /** The end of its range, exclusive. */
  readonly end: number
}

/** All except the default one. */
async function partitions(kysely: Kysely<Schema>): Promise<readonly Partition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass('usage_events') order by c.relname`.execute(kysely)
  return rows.flatMap(({ name, bounds }) => {
    const [, from, to] = /FROM \('?(\d+|MINVALUE)'?\) TO \('?(\d+)'?\)/.exec(bounds) ?? []
    if (to === undefined) return []
    return [{ name, start: from === 'MINVALUE' ? 0 : Number(from), end: Number(to) }]
  })
}
