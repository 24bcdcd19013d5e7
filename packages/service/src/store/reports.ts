import { type CallMode, unreachable } from '@keepfirst/protocol'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { boundsOf, dayOf } from './periods.ts'
import type { Schema } from './schema.ts'
import type { DayUsage, EventQuery, MonthUsage, StatusFilter, UsageEvent, UsageQuery } from './store.ts'

/*
 * What was used. A call stands in the period in which it was charged. Each statement is a short snapshot: a month is
 * read day by day, events page by page.
 */

const DAY_MS = 86_400_000
const PAGE_EVENTS = 1_000

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
        .as('rolledUp'),
    ])
    .orderBy('accounts.email')
  if (accountId !== undefined) query = query.where('accounts.id', '=', accountId)
  return (await query.execute()).map(({ account, plan, used, single, rolledUp }) => ({
    account,
    plan,
    month,
    used: used ?? 0,
    calls: (single ?? 0) + (rolledUp ?? 0),
  }))
}

/** What an account's counter says. */
export async function usedUnits(kysely: Kysely<Schema>, accountId: string, month: string): Promise<number> {
  const row = await kysely
    .selectFrom('usage_months')
    .select('used')
    .where('account_id', '=', accountId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.used ?? 0
}

/** Sums a day, account, key and mode, oldest first; of calls that stand singly and of those that don't alike. */
export async function days(kysely: Kysely<Schema>, query: UsageQuery): Promise<readonly DayUsage[]> {
  const span = await usedSpan(kysely, query)
  const sums: DayUsage[] = []
  for (let at = span.first; at <= span.last; at += DAY_MS) sums.push(...(await daySums(kysely, at, query.accountId)))
  return sums
}

/** The starts of the first and the last day of a month on which anything was used; none in between when nothing was. */
async function usedSpan(
  kysely: Kysely<Schema>,
  { accountId, month }: UsageQuery,
): Promise<{ readonly first: number; readonly last: number }> {
  const { start, end } = boundsOf(month)
  const ofAccount = accountId === undefined ? sql`` : sql`and account_id = ${accountId}`
  const calls = sql`from usage_events where at >= ${start} and at < ${end} ${ofAccount}`
  const rolledUp = sql`from usage_days where day >= ${dayOf(start)} and day < ${dayOf(end)} ${ofAccount}`
  // Each for itself is read at the end of an index; both at once would read all that is in between.
  const { rows } = await sql<{ at: number | null; day: string | null }>`
    select (select min(at) ${calls}) as at, (select min(day) ${rolledUp}) as day
    union all select (select max(at) ${calls}), (select max(day) ${rolledUp})`.execute(kysely)
  const used = rows.flatMap(({ at, day }) => [at === null ? [] : [dayOf(at)], day === null ? [] : [day]].flat())
  const starts = used.map((day) => Date.parse(day))
  return { first: Math.min(...starts), last: Math.max(...starts) }
}

/** The sums of one day in one statement: events that are rolled up meanwhile are counted once. */
async function daySums(kysely: Kysely<Schema>, start: number, accountId?: string): Promise<readonly DayUsage[]> {
  const day = dayOf(start)
  const calls = kysely
    .selectFrom('usage_events')
    .select([
      'account_id',
      'key_id',
      sql<CallMode | ''>`coalesce(mode, '')`.as('mode'),
      sql<number>`coalesce(status, 0)`.as('status'),
      sql<number>`1`.as('calls'),
      sql<number>`coalesce(rows, 0)`.as('rows'),
      sql<number>`coalesce(removed, 0)`.as('removed'),
      'units',
    ])
    .where('at', '>=', start)
    .where('at', '<', start + DAY_MS)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
  const rolledUp = kysely
    .selectFrom('usage_days')
    .select(['account_id', 'key_id', 'mode', 'status', 'calls', 'rows', 'removed', 'units'])
    .where('day', '=', day)
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
  const rows = await kysely
    .selectFrom(calls.unionAll(rolledUp).as('part'))
    .innerJoin('accounts', 'accounts.id', 'part.account_id')
    .select([
      'accounts.email as account',
      'part.key_id as keyId',
      'part.mode',
      total(sql`case when ${refused} then 0 else calls end`).as('calls'),
      total(sql`case when ${refused} then 0 else rows end`).as('rows'),
      total(sql`removed`).as('removed'),
      total(sql`units`).as('units'),
      total(sql`case when ${refused} then calls else 0 end`).as('refused'),
    ])
    .groupBy(['accounts.email', 'part.key_id', 'part.mode'])
    .orderBy('accounts.email')
    .orderBy('part.key_id')
    .orderBy(sql`case when part.mode = '' then 1 else 0 end`)
    .orderBy('part.mode')
    .execute()
  return rows.map(({ mode, ...sums }) => ({ day, ...sums, mode: mode === '' ? null : mode }))
}

/** @param from those of the month from this time on */
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

/** The events of a month, oldest first; of more than `limit` the newest. */
export async function events(
  kysely: Kysely<Schema>,
  { limit, ...query }: EventQuery & { readonly limit?: number },
): Promise<readonly UsageEvent[]> {
  if (limit === undefined) {
    const pages: UsageEvent[][] = []
    for await (const page of eventPages(kysely, query)) pages.push([...page])
    return pages.flat()
  }
  const newest = selectEvents(kysely, query).orderBy('at', 'desc').orderBy('usage_events.id', 'desc').limit(limit)
  return (await newest.execute()).map(eventOf).reverse()
}

/** The events of a month, oldest first, a statement a page. */
export async function* eventPages(kysely: Kysely<Schema>, query: EventQuery): AsyncGenerator<readonly UsageEvent[]> {
  let after: { readonly at: number; readonly id: number } | undefined
  do {
    // One lower bound: a database that is given two may seek by the other and read the month from its start each time.
    let page = selectEvents(kysely, query, after?.at).orderBy('at').orderBy('usage_events.id').limit(PAGE_EVENTS)
    if (after !== undefined) {
      const { at, id } = after
      page = page.where(({ or, eb }) => or([eb('at', '>', at), eb('usage_events.id', '>', id)]))
    }
    const rows = await page.execute()
    if (rows.length > 0) yield rows.map(eventOf)
    after = rows.length < PAGE_EVENTS ? undefined : rows.at(-1)
  } while (after !== undefined)
}

function eventOf({ id: _, ...event }: UsageEvent & { readonly id: number }): UsageEvent {
  return event
}
