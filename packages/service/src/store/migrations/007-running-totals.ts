import type { Migration } from './migration.ts'

/**
 * Totals of the calls that are stored individually, maintained by the database itself as calls arrive, end and are
 * removed, whichever program writes, even one that does not know about them. Existing calls are added up once, while
 * writers wait.
 *
 * A statement updates the totals last, and those of phase 'changed' either always before or always after those of phase
 * 'added', each in a fixed order, so that two instances never wait for each other in a cycle.
 */
export const runningTotals: Migration = {
  number: 7,
  oldestProgram: 2,
  statements: ({ kind, integer }) => [
    `create table usage_sums (
      account_id text not null,
      day text not null,
      key_id text not null,
      mode text not null,
      phase text not null,
      calls ${integer} not null,
      rows ${integer} not null,
      removed ${integer} not null,
      units ${integer} not null,
      refused ${integer} not null,
      primary key (account_id, day, key_id, mode, phase)
    )`,
    'create index usage_sums_by_day on usage_sums (day)',
    // Lists are read in order of creation, page by page.
    'create index accounts_by_time on accounts (created_at, id)',
    'create index api_keys_by_time on api_keys (created_at, id)',
    ...(kind === 'postgres' ? POSTGRES_TRIGGERS : SQLITE_TRIGGERS),
  ],
}

/**
 * What an event contributes: calls, rows, removed, units and refused calls, which are counted separately.
 * @param event the name of its table, or of a trigger's row
 */
function amountsOf(event: string): readonly string[] {
  const refused = `coalesce(${event}.status, 0) between 400 and 498`
  return [
    `case when ${refused} then 0 else 1 end`,
    `case when ${refused} then 0 else coalesce(${event}.rows, 0) end`,
    `coalesce(${event}.removed, 0)`,
    `${event}.units`,
    `case when ${refused} then 1 else 0 end`,
  ]
}

const COLUMNS = 'account_id, day, key_id, mode, phase, calls, rows, removed, units, refused'
const ADD = `on conflict (account_id, day, key_id, mode, phase) do update set calls = usage_sums.calls + excluded.calls,
  rows = usage_sums.rows + excluded.rows, removed = usage_sums.removed + excluded.removed,
  units = usage_sums.units + excluded.units, refused = usage_sums.refused + excluded.refused`

/** Adds events to the totals, each multiplied by its `factor`. */
function addUp(phase: string, day: string, events: string): string {
  const sums = amountsOf('event').map((amount, index) => `cast(sum(factor * (${amount})) as bigint) as sum${index}`)
  return `insert into usage_sums (${COLUMNS})
    select * from (
      select account_id, ${day} as day, key_id, coalesce(mode, '') as mode, '${phase}' as phase, ${sums.join(', ')}
      from (${events}) event group by 1, 2, 3, 4) total
    where ${sums.map((_, index) => `sum${index} <> 0`).join(' or ')}
    order by account_id, day, key_id, mode ${ADD}`
}

const EVENT = 'account_id, at, key_id, mode, rows, removed, units, status'
const sqliteDay = (at: string): string => `date(${at} / 1000, 'unixepoch')`
const POSTGRES_DAY = "to_char(to_timestamp(at / 1000) at time zone 'UTC', 'YYYY-MM-DD')"
const ALL_EVENTS = `select 1 as factor, ${EVENT} from usage_events`

/**
 * Adds what one event contributes now, less what it contributed before. Far cheaper than `addUp`, which groups and
 * sorts.
 */
function addOne(phase: string, event: 'new' | 'old', amounts: readonly string[]): string {
  const day = sqliteDay(`${event}.at`)
  return `insert into usage_sums (${COLUMNS})
    select ${event}.account_id, ${day}, ${event}.key_id, coalesce(${event}.mode, ''), '${phase}', ${amounts.join(', ')}
    where ${amounts.map((amount) => `${amount} <> 0`).join(' or ')} ${ADD}`
}

const [ADDED, GONE] = [amountsOf('new'), amountsOf('old').map((amount) => `-(${amount})`)]
const CHANGED = ADDED.map((amount, index) => `(${amount}) ${GONE[index]}`)

const SQLITE_TRIGGERS = [
  addUp('added', sqliteDay('at'), ALL_EVENTS),
  `create trigger usage_events_added after insert on usage_events begin
    ${addOne('added', 'new', ADDED)};
  end`,
  `create trigger usage_events_changed after update on usage_events begin
    ${addOne('changed', 'new', CHANGED)};
  end`,
  `create trigger usage_events_gone after delete on usage_events begin
    ${addOne('changed', 'old', GONE)};
  end`,
]

/** Once per statement, over all events that it wrote. */
function onPostgres(name: string, [what, rows]: readonly [string, string], statement: string): readonly string[] {
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin
      ${statement};
      return null;
    end $$`,
    `create trigger ${name} after ${what} on usage_events referencing ${rows} for each statement execute function ${name}()`,
  ]
}

const BEFORE = `select -1 as factor, ${EVENT} from events_before`
const AFTER = `select 1 as factor, ${EVENT} from events_after`

const POSTGRES_TRIGGERS = [
  // Blocks writers from here on, so that no event is missed or counted twice.
  ...onPostgres('usage_events_added', ['insert', 'new table as events_after'], addUp('added', POSTGRES_DAY, AFTER)),
  ...onPostgres(
    'usage_events_changed',
    ['update', 'old table as events_before new table as events_after'],
    addUp('changed', POSTGRES_DAY, `${BEFORE} union all ${AFTER}`),
  ),
  ...onPostgres('usage_events_gone', ['delete', 'old table as events_before'], addUp('changed', POSTGRES_DAY, BEFORE)),
  addUp('added', POSTGRES_DAY, ALL_EVENTS),
]
