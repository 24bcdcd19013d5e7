import { unreachable } from '@keepfirst/protocol'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { PAGE, pagesOf } from './pages.ts'
import { boundsOf } from './periods.ts'
import type { Schema } from './schema.ts'
import type { AccountMonth, EventQuery, MonthUsage, StatusFilter, Store, UsageEvent, UsageQuery } from './store.ts'

/*
 * Usage reports. A call belongs to the period in which it was charged. Each statement is a short snapshot: totals are
 * maintained as calls arrive, and lists are read page by page.
 */

type ReportMethods = Pick<Store, 'usedUnits' | 'monthPages' | 'days' | 'newestEvents' | 'eventPages'>

/** The store's usage reports. */
export function createReports(kysely: Kysely<Schema>): ReportMethods {
  return {
    async usedUnits(accountId, month) {
      const row = await kysely
        .selectFrom('usage_months')
        .select('used')
        .where('account_id', '=', accountId)
        .where('month', '=', month)
        .executeTakeFirst()
      return row?.used ?? 0
    },
    monthPages: (query) => pagesOf((last: MonthUsage | undefined) => monthsAfter(last?.account ?? '', kysely, query)),
    async days(query) {
      const sums = await selectDays(kysely, query).execute()
      return sums.map(({ mode, ...sum }) => ({ ...sum, mode: mode === '' ? null : mode }))
    },
    async newestEvents({ limit, ...query }) {
      const newest = selectEvents(kysely, query).orderBy('at', 'desc').orderBy('usage_events.id', 'desc').limit(limit)
      return (await newest.execute()).map(eventOf).reverse()
    },
    async *eventPages(query) {
      const after = (last: EventRow | undefined): Promise<readonly EventRow[]> => {
        // A single lower bound: with two, a database may seek by the other one and read the month from its start each
        // time.
        const page = selectEvents(kysely, query, last?.at).orderBy('at').orderBy('usage_events.id').limit(PAGE)
        if (last === undefined) return page.execute()
        return page.where(({ or, eb }) => or([eb('at', '>', last.at), eb('usage_events.id', '>', last.id)])).execute()
      }
      for await (const page of pagesOf(after)) yield page.map(eventOf)
    },
  }
}

/** Refused by a limit or a check: neither answered, nor abandoned (499), nor failed on our side. */
const refused = sql<boolean>`coalesce(status, 0) between 400 and 498`

/** Selects the daily sums of one account and month, in either table that has them. */
export function isOfMonth(accountId: RawBuilder<unknown>, month: string): RawBuilder<boolean> {
  return sql<boolean>`account_id = ${accountId} and day between ${`${month}-01`} and ${`${month}-31`}`
}

/** A sum as an integer, which PostgreSQL would otherwise make a decimal. */
function total(summand: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(coalesce(sum(${summand}), 0) as bigint)`
}

/** The month of one or all accounts, ordered by address; includes accounts without usage. */
async function monthsAfter(
  email: string,
  kysely: Kysely<Schema>,
  { accountId, month }: UsageQuery,
): Promise<readonly MonthUsage[]> {
  const ofMonth = isOfMonth(sql.ref('accounts.id'), month)
  let query = kysely
    .selectFrom('accounts')
    .leftJoin('usage_months', (join) =>
      join.onRef('usage_months.account_id', '=', 'accounts.id').on('usage_months.month', '=', month),
    )
    .select(({ selectFrom }) => [
      'accounts.email as account',
      'accounts.plan',
      'usage_months.used',
      selectFrom('usage_sums').select(total(sql`calls`).as('calls')).where(ofMonth).as('single'),
      selectFrom('usage_days')
        .select(total(sql`case when ${refused} then 0 else calls end`).as('calls'))
        .where(ofMonth)
        .as('rolledUp'),
    ])
    .where('accounts.email', '>', email)
    .orderBy('accounts.email')
    .limit(PAGE)
  if (accountId !== undefined) query = query.where('accounts.id', '=', accountId)
  return (await query.execute()).map(({ account, plan, used, single, rolledUp }) => ({
    account,
    plan,
    month,
    used: used ?? 0,
    calls: (single ?? 0) + (rolledUp ?? 0),
  }))
}

/**
 * Totals per day, key and mode of an account's month, oldest first, including calls that were rolled up. A single
 * statement, so that events rolled up meanwhile are counted once.
 */
function selectDays(kysely: Kysely<Schema>, { accountId, month }: AccountMonth) {
  const ofMonth = isOfMonth(sql`${accountId}`, month)
  const single = kysely
    .selectFrom('usage_sums')
    .select(['account_id', 'day', 'key_id', 'mode', 'calls', 'rows', 'removed', 'units', 'refused'])
    .where(ofMonth)
  const rolledUp = kysely
    .selectFrom('usage_days')
    .select([
      'account_id',
      'day',
      'key_id',
      'mode',
      sql<number>`case when ${refused} then 0 else calls end`.as('calls'),
      sql<number>`case when ${refused} then 0 else rows end`.as('rows'),
      'removed',
      'units',
      sql<number>`case when ${refused} then calls else 0 end`.as('refused'),
    ])
    .where(ofMonth)
  return kysely
    .selectFrom(single.unionAll(rolledUp).as('part'))
    .innerJoin('accounts', 'accounts.id', 'part.account_id')
    .select([
      'part.day',
      'accounts.email as account',
      'part.key_id as keyId',
      'part.mode',
      total(sql`calls`).as('calls'),
      total(sql`rows`).as('rows'),
      total(sql`removed`).as('removed'),
      total(sql`units`).as('units'),
      total(sql`refused`).as('refused'),
    ])
    .groupBy(['part.day', 'accounts.email', 'part.key_id', 'part.mode'])
    .orderBy('part.day')
    .orderBy('part.key_id')
    .orderBy(sql`case when part.mode = '' then 1 else 0 end`)
    .orderBy('part.mode')
}

/** @param from only events of the month from this time on */
function selectEvents(kysely: Kysely<Schema>, { accountId, keyId, status, month }: EventQuery, from?: number) {
  const { start, end } = boundsOf(month)
  let query = kysely
    .selectFrom('usage_events')
    .innerJoin('accounts', 'accounts.id', 'usage_events.account_id')
    .innerJoin('api_keys', 'api_keys.id', 'usage_events.key_id')
    .select([
      'usage_events.id',
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
    .where('at', '>=', from ?? start)
    .where('at', '<', end)
  if (accountId !== undefined) query = query.where('usage_events.account_id', '=', accountId)
  if (keyId !== undefined) query = query.where('usage_events.key_id', '=', keyId)
  if (status !== undefined) query = query.where(matching(status))
  return query
}

function matching(status: StatusFilter): RawBuilder<boolean> {
  if (typeof status === 'number') return sql<boolean>`status = ${status}`
  switch (status) {
    case 'answered':
      return sql<boolean>`status between 200 and 299`
    case 'refused':
      return refused
    case 'failed':
      return sql<boolean>`status >= 499`
    case 'open':
      return sql<boolean>`status is null`
    default:
      return unreachable(status)
  }
}

type EventRow = UsageEvent & { readonly id: number }

function eventOf({ id: _, ...event }: EventRow): UsageEvent {
  return event
}
