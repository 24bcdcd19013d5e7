import { type Kysely, type RawBuilder, sql } from 'kysely'
import { boundsOf, dayOf } from './periods.ts'
import type { Schema } from './schema.ts'
import type { DayUsage, MonthUsage, UsageEvent, UsageQuery } from './store.ts'

/* What was used. A call stands in the period in which it was charged. */

const DAY_MS = 86_400_000

/** Refused by a limit or a check: neither answered, nor hung up on (499), nor failed on our side. */
const refused = sql<boolean>`coalesce(status, 0) between 400 and 498`

/** A sum as a whole number; PostgreSQL would make it a decimal. */
function total(summand: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${summand}), 0) as bigint)`
}

/** One account's month or every account's, in the order of their addresses; accounts that used nothing too. */
export async function months(kysely: Kysely<Schema>, { accountId, month }: UsageQuery): Promise<readonly MonthUsage[]> {
  const { start, end } = boundsOf(month)
  let query = kysely
    .selectFrom('accounts')
    .leftJoin('usage_months', (join) =>
      join.onRef('usage_months.account_id', '=', 'accounts.id').on('usage_months.month', '=', month),
    )
    .select(({ selectFrom }) => [
      'accounts.email as account',
      'accounts.plan',
      'usage_months.used',
      selectFrom('usage_events')
        .select(total(sql`case when ${refused} then 0 else 1 end`).as('calls'))
        .whereRef('usage_events.account_id', '=', 'accounts.id')
        .where('at', '>=', start)
        .where('at', '<', end)
        .as('single'),
      selectFrom('usage_days')
        .select(total(sql`case when ${refused} then 0 else calls end`).as('calls'))
        .whereRef('usage_days.account_id', '=', 'accounts.id')
        .where('day', '>=', dayOf(start))
        .where('day', '<', dayOf(end))
        .as('folded'),
    ])
    .orderBy('accounts.email')
  if (accountId !== undefined) query = query.where('accounts.id', '=', accountId)
  return (await query.execute()).map(({ account, plan, used, single, folded }) => ({
    account,
    plan,
    month,
    used: used ?? 0,
    calls: (single ?? 0) + (folded ?? 0),
  }))
}

/** Sums a day, account, key and mode, oldest first; of calls that stand singly and of those that don't alike. */
export async function days(kysely: Kysely<Schema>, query: UsageQuery): Promise<readonly DayUsage[]> {
  const sums = new Map<string, DayUsage>()
  for (const part of [...(await foldedDays(kysely, query)), ...(await singleDays(kysely, query))]) {
    const name = JSON.stringify([part.day, part.account, part.keyId, part.mode])
    const sum = sums.get(name)
    sums.set(name, sum === undefined ? part : addDays(sum, part))
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

function addDays(a: DayUsage, b: DayUsage): DayUsage {
  return {
    ...a,
    calls: a.calls + b.calls,
    rows: a.rows + b.rows,
    removed: a.removed + b.removed,
    units: a.units + b.units,
    refused: a.refused + b.refused,
  }
}

async function singleDays(kysely: Kysely<Schema>, { accountId, month }: UsageQuery): Promise<readonly DayUsage[]> {
  const { start, end } = boundsOf(month)
  let query = kysely
    .selectFrom('usage_events')
    .innerJoin('accounts', 'accounts.id', 'usage_events.account_id')
    .select([
      'accounts.email as account',
      'key_id as keyId',
      'mode',
      sql<number>`at / ${sql.lit(DAY_MS)}`.as('dayNumber'),
      total(sql`case when ${refused} then 0 else 1 end`).as('calls'),
      total(sql`case when ${refused} then 0 else coalesce(rows, 0) end`).as('rows'),
      total(sql`coalesce(removed, 0)`).as('removed'),
      total(sql`units`).as('units'),
      total(sql`case when ${refused} then 1 else 0 end`).as('refused'),
    ])
    .where('at', '>=', start)
    .where('at', '<', end)
    .groupBy(['accounts.email', 'key_id', 'mode', 'dayNumber'])
  if (accountId !== undefined) query = query.where('usage_events.account_id', '=', accountId)
  return (await query.execute()).map(({ dayNumber, ...sums }) => ({ day: dayOf(dayNumber * DAY_MS), ...sums }))
}

async function foldedDays(kysely: Kysely<Schema>, { accountId, month }: UsageQuery): Promise<readonly DayUsage[]> {
  const { start, end } = boundsOf(month)
  let query = kysely
    .selectFrom('usage_days')
    .innerJoin('accounts', 'accounts.id', 'usage_days.account_id')
    .select([
      'day',
      'accounts.email as account',
      'key_id as keyId',
      'mode',
      total(sql`case when ${refused} then 0 else calls end`).as('calls'),
      total(sql`case when ${refused} then 0 else rows end`).as('rows'),
      total(sql`removed`).as('removed'),
      total(sql`units`).as('units'),
      total(sql`case when ${refused} then calls else 0 end`).as('refused'),
    ])
    .where('day', '>=', dayOf(start))
    .where('day', '<', dayOf(end))
    .groupBy(['day', 'accounts.email', 'key_id', 'mode'])
  if (accountId !== undefined) query = query.where('usage_days.account_id', '=', accountId)
  return (await query.execute()).map(({ mode, ...sums }) => ({ ...sums, mode: mode === '' ? null : mode }))
}

/** The events of a month, oldest first; of more than `limit` the newest. */
export async function events(
  kysely: Kysely<Schema>,
  { accountId, month, limit }: UsageQuery & { readonly limit?: number },
): Promise<readonly UsageEvent[]> {
  const { start, end } = boundsOf(month)
  let query = kysely
    .selectFrom('usage_events')
    .innerJoin('accounts', 'accounts.id', 'usage_events.account_id')
    .innerJoin('api_keys', 'api_keys.id', 'usage_events.key_id')
    .select([
      'at',
      'accounts.email as account',
      'key_id as keyId',
      'api_keys.prefix as keyPrefix',
      'mode',
      'rows',
      'removed',
      'units',
      'status',
      'duration_ms as durationMs',
    ])
    .where('at', '>=', start)
    .where('at', '<', end)
    .orderBy('at', 'desc')
    .orderBy('usage_events.id', 'desc')
  if (accountId !== undefined) query = query.where('usage_events.account_id', '=', accountId)
  if (limit !== undefined) query = query.limit(limit)
  return (await query.execute()).reverse()
}
