import type { BatchParts, BatchRows, CompletionRow, LedgerBatch, PartName, Take } from './ledger-driver.ts'
import type { PostgresStatement } from './postgres-connections.ts'

/*
 * A ledger batch as one statement: data-modifying parts over arrays, in a transaction that is never open during a round
 * trip, so that an instance that freezes holds no lock. The statement has the parts that the batch has; each
 * combination is prepared once per connection.
 */

interface Part<Row> {
  /** The columns of its table: their types and values. */
  readonly columns: { readonly [column: string]: readonly ['text' | 'bigint', (row: Row) => string | number | null] }
  /** What is done with its table, which has the part's name; `position` counts rows from 0. */
  readonly sql: string
}

/**
 * Charges counters. The statement that locks a row also enforces its limit, in the same order on all instances; the
 * first charge of a period creates the row. If two try to create it at the same time, one of them is repeated.
 */
function takes(name: 'months' | 'days', table: string, [counter, period]: readonly [string, string]): Part<Take> {
  return {
    columns: {
      counter: ['text', (row) => row.counter],
      period: ['text', (row) => row.period],
      units: ['bigint', (row) => row.units],
      room: ['bigint', (row) => row.room],
    },
    sql: `raised_${name} as (
        update ${table} c set used = c.used + t.units
        from (select * from ${name} order by counter, period) t
        where c.${counter} = t.counter and c.${period} = t.period and c.used <= t.room
        returning t.position, c.used),
      opened_${name} as (
        insert into ${table} (${counter}, ${period}, used)
        select t.counter, t.period, t.units from ${name} t
        where t.room >= 0 and not exists (select 1 from ${table} c where c.${counter} = t.counter and c.${period} = t.period)
        order by t.counter, t.period
        on conflict do nothing returning ${counter}, ${period}, used),
      taken_${name} as (
        select position, used from raised_${name} union all
        select t.position, o.used from opened_${name} o join ${name} t on t.counter = o.${counter} and t.period = o.${period})`,
  }
}

/** The answers to the takes as JSON: the counter after and before, in order. */
function answersOf(name: 'months' | 'days', table: string, [counter, period]: readonly [string, string]): string {
  return `(select json_agg(json_build_array(a.used, coalesce(c.used, 0)) order by t.position)
    from ${name} t left join taken_${name} a on a.position = t.position
    left join ${table} c on c.${counter} = t.counter and c.${period} = t.period)`
}

const COMPLETION: Part<CompletionRow>['columns'] = {
  id: ['text', (row) => row.id],
  account_id: ['text', (row) => row.accountId],
  at: ['bigint', (row) => row.at],
  status: ['bigint', (row) => row.status],
  removed: ['bigint', (row) => row.removed],
  duration_ms: ['bigint', (row) => row.durationMs],
}

const NO_ANSWERS = "'[]'::json"
const MONTHS = ['usage_months', ['account_id', 'month']] as const
const DAYS = ['keyless_days', ['client', 'day']] as const

const PARTS: { readonly [Name in PartName]: Part<BatchRows[Name]> } = {
  months: takes('months', ...MONTHS),
  days: takes('days', ...DAYS),
  charges: {
    columns: {
      take: ['bigint', (row) => row.take],
      id: ['text', (row) => row.id],
      account_id: ['text', (row) => row.accountId],
      key_id: ['text', (row) => row.keyId],
      at: ['bigint', (row) => row.at],
      mode: ['text', (row) => row.mode],
      rows: ['bigint', (row) => row.rows],
      units: ['bigint', (row) => row.units],
    },
    sql: `charged as (
      insert into usage_events (charge_id, account_id, key_id, at, mode, rows, units)
      select e.id, e.account_id, e.key_id, e.at, e.mode, e.rows, e.units
      from charges e join taken_months t on t.position = e.take order by e.position)`,
  },
  completions: {
    columns: COMPLETION,
    sql: `completed as (
      update usage_events e set status = c.status, removed = c.removed, duration_ms = c.duration_ms from completions c
      where e.account_id = c.account_id and e.at = c.at and e.charge_id = c.id)`,
  },
  refunds: {
    columns: { ...COMPLETION, period: ['text', (row) => row.period], units: ['bigint', (row) => row.units] },
    // An event that was already refunded, or rolled up into its day, leaves the counter unchanged.
    sql: `refunded as (
        update usage_events e set units = 0, status = r.status, removed = r.removed, duration_ms = r.duration_ms
        from refunds r where e.account_id = r.account_id and e.at = r.at and e.charge_id = r.id and e.units > 0
        returning r.account_id, r.period, r.units),
      refunded_months as (
        update usage_months m set used = m.used - g.units
        from (select account_id, period, sum(units)::bigint as units from refunded group by 1, 2 order by 1, 2) g
        where m.account_id = g.account_id and m.month = g.period)`,
  },
  dayRefunds: {
    columns: {
      client: ['text', (row) => row.client],
      period: ['text', (row) => row.period],
      units: ['bigint', (row) => row.units],
    },
    // A day that has ended and was dropped cannot be refunded.
    sql: `refunded_days as (
      update keyless_days d set used = d.used - g.units
      from (select client, period, sum(units)::bigint as units from dayRefunds group by 1, 2 order by 1, 2) g
      where d.client = g.client and d.day = g.period and d.used >= g.units)`,
  },
  refusals: {
    columns: {
      account_id: ['text', (row) => row.accountId],
      key_id: ['text', (row) => row.keyId],
      at: ['bigint', (row) => row.at],
      mode: ['text', (row) => row.mode],
      rows: ['bigint', (row) => row.rows],
      status: ['bigint', (row) => row.status],
      duration_ms: ['bigint', (row) => row.durationMs],
    },
    sql: `refused as (
      insert into usage_events (account_id, key_id, at, mode, rows, units, status, duration_ms)
      select account_id, key_id, at, mode, rows, 0, status, duration_ms from refusals order by position)`,
  },
  refusalSums: {
    columns: {
      account_id: ['text', (row) => row.accountId],
      key_id: ['text', (row) => row.keyId],
      day: ['text', (row) => row.day],
      mode: ['text', (row) => row.mode],
      status: ['bigint', (row) => row.status],
      calls: ['bigint', (row) => row.calls],
      rows: ['bigint', (row) => row.rows],
    },
    sql: `counted as (
      insert into usage_days (account_id, key_id, day, mode, status, calls, rows, removed, units)
      select account_id, key_id, day, mode, status, calls, rows, 0, 0 from refusalSums
      order by account_id, day, key_id, mode, status
      on conflict (account_id, day, key_id, mode, status)
      do update set calls = usage_days.calls + excluded.calls, rows = usage_days.rows + excluded.rows)`,
  },
  lastUses: {
    columns: { key_id: ['text', (row) => row.keyId], at: ['bigint', (row) => row.at] },
    sql: `touched as (
      update api_keys k set last_used_at = u.at from (select * from lastUses order by key_id) u
      where k.id = u.key_id and (k.last_used_at is null or k.last_used_at < u.at))`,
  },
}

/** A batch as one statement; its single row contains the `answer`. */
export function batchStatement(batch: LedgerBatch): PostgresStatement {
  const names = PART_NAMES.filter((name) => batch[name].length > 0)
  return {
    name: `batch ${names.join(' ')}`,
    text: textOf(names),
    values: [batch.at, batch.id, ...names.flatMap((name) => valuesOf(batch, name))],
  }
}

/** Makes sure that a batch that was not written never will be; its single row contains the `answer` if it was. */
export function settleStatement({ at, id }: Pick<LedgerBatch, 'at' | 'id'>): PostgresStatement {
  return {
    name: 'settle',
    text: `insert into ledger_batches (at, id) values ($1, $2)
      on conflict (at, id) do update set answer = ledger_batches.answer returning answer`,
    values: [at, id],
  }
}

/**
 * Parts come after those they depend on. Creating and changing events are separate: triggers update the totals in that
 * order.
 */
const PART_NAMES: readonly PartName[] = [
  'months',
  'days',
  'charges',
  'refusals',
  'completions',
  'refunds',
  'dayRefunds',
  'refusalSums',
  'lastUses',
]

const texts = new Map<string, string>()

function textOf(names: readonly PartName[]): string {
  const known = texts.get(names.join())
  if (known !== undefined) return known
  let count = 2
  const sources = names.map((name) => {
    const columns = Object.entries(PARTS[name].columns)
    const arrays = columns.map(([, [type]]) => `$${++count}::${type}[]`)
    const list = columns.map(([column]) => column).join(', ')
    return `${name} as (select ${list}, ord - 1 as position
      from unnest(${arrays.join(', ')}) with ordinality as s(${list}, ord))`
  })
  const months = names.includes('months') ? answersOf('months', ...MONTHS) : NO_ANSWERS
  const days = names.includes('days') ? answersOf('days', ...DAYS) : NO_ANSWERS
  const text = `with ${[...sources, ...names.map((name) => PARTS[name].sql)].join(',\n')}
    insert into ledger_batches (at, id, answer)
    select $1, $2, json_build_object('months', ${months}, 'days', ${days})::text returning answer`
  texts.set(names.join(), text)
  return text
}

function valuesOf<Name extends PartName>(batch: BatchParts, name: Name): readonly unknown[] {
  const rows: readonly BatchRows[Name][] = batch[name]
  const part: Part<BatchRows[Name]> = PARTS[name]
  return Object.values(part.columns).map(([, pick]) => rows.map(pick))
}
