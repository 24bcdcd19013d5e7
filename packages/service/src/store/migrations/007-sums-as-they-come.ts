import type { Migration } from './migration.ts'

/**
 * Totals of the calls that are stored individually, maintained by the database itself as calls arrive, end and are
 * removed, whatever program writes, even one that does not know about them. Existing calls are added up once, while
 * writers wait.
 *
 * A statement updates the totals last, and those of phase 'changed' either always before or always after those of phase
 * 'added', each in a fixed order, so that two instances never wait for each other in a cycle.
 */
export const sumsAsTheyCome: Migration = {
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

/** What an event contributes; refused calls are counted separately. */
const REFUSED = 'coalesce(status, 0) between 400 and 498'
const CALLS = `case when ${REFUSED} then 0 else 1 end`
const ROWS = `case when ${REFUSED} then 0 else coalesce(rows, 0) end`
const REFUSALS = `case when ${REFUSED} then 1 else 0 end`

const COLUMNS = 'account_id, day, key_id, mode, phase, calls, rows, removed, units, refused'
const ADD = `on conflict (account_id, day, key_id, mode, phase) do update set calls = usage_sums.calls + excluded.calls,
  rows = usage_sums.rows + excluded.rows, removed = usage_sums.removed + excluded.removed,
  units = usage_sums.units + excluded.units, refused = usage_sums.refused + excluded.refused`

/**
 * Adds events to the totals, each multiplied by its `factor`. Without `where true`, SQLite would parse `on conflict` as
 * part of the join.
 */
function addUp(phase: string, day: string, events: string): string {
  const sum = (what: string): string => `cast(sum(factor * (${what})) as bigint)`
  return `insert into usage_sums (${COLUMNS})
    select * from (
      select account_id, ${day} as day, key_id, coalesce(mode, '') as mode, '${phase}' as phase, ${sum(CALLS)} as calls,
        ${sum(ROWS)} as rows, ${sum('coalesce(removed, 0)')} as removed, ${sum('units')} as units, ${sum(REFUSALS)} as refused
      from (${events}) event group by 1, 2, 3, 4) total
    where calls <> 0 or rows <> 0 or removed <> 0 or units <> 0 or refused <> 0
    order by account_id, day, key_id, mode ${ADD}`
}

const EVENT = 'account_id, at, key_id, mode, rows, removed, units, status'
const SQLITE_DAY = "date(at / 1000, 'unixepoch')"
const POSTGRES_DAY = "to_char(to_timestamp(at / 1000) at time zone 'UTC', 'YYYY-MM-DD')"
const ALL_EVENTS = `select 1 as factor, ${EVENT} from usage_events`

/** A trigger's row as a row of a table. */
function rowOf(name: 'old' | 'new', factor: number): string {
  const values = EVENT.split(', ').map((column) => `${name}.${column} as ${column}`)
  return `select ${factor} as factor, ${values.join(', ')}`
}

const SQLITE_TRIGGERS = [
  addUp('added', SQLITE_DAY, ALL_EVENTS),
  `create trigger usage_events_added after insert on usage_events begin
    ${addUp('added', SQLITE_DAY, rowOf('new', 1))};
  end`,
  `create trigger usage_events_changed after update on usage_events begin
    ${addUp('changed', SQLITE_DAY, `${rowOf('old', -1)} union all ${rowOf('new', 1)}`)};
  end`,
  `create trigger usage_events_gone after delete on usage_events begin
    ${addUp('changed', SQLITE_DAY, rowOf('old', -1))};
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
