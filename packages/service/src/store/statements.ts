import type { Statement } from './steps.ts'

/* The statements of the hot path, the same on both databases. */

export const FIND_HOLDER: Statement = {
  name: 'find_holder',
  sql: `select k.id as key_id, k.account_id, a.plan from api_keys k join accounts a on a.id = k.account_id
        where k.hash = ? and k.revoked_at is null`,
}
/** Takes units if the month can bear them. The first charge of a month is not held to the limit: `PLANS` sees to it. */
export const TAKE_MONTH: Statement = {
  name: 'take_month',
  sql: `insert into usage_months (account_id, month, used) values (?, ?, ?)
        on conflict (account_id, month) do update set used = usage_months.used + excluded.used
        where usage_months.used + excluded.used <= ? returning used`,
}
/** Takes nothing: holds the counter's row, as every charge does first, and reads it. */
export const HOLD_MONTH: Statement = {
  name: 'hold_month',
  sql: 'update usage_months set used = used where account_id = ? and month = ? returning used',
}
export const GIVE_MONTH: Statement = {
  name: 'give_month',
  sql: 'update usage_months set used = used - ? where account_id = ? and month = ?',
}
export const OPEN_EVENT: Statement = {
  name: 'open_event',
  sql: `insert into usage_events (account_id, key_id, at, mode, rows, units)
        values (?, ?, ?, ?, ?, ?) returning id`,
}
export const COMPLETE_EVENT: Statement = {
  name: 'complete_event',
  sql: 'update usage_events set status = ?, removed = ?, duration_ms = ? where id = ?',
}
export const REFUND_EVENT: Statement = {
  name: 'refund_event',
  sql: `update usage_events set units = 0, status = ?, removed = ?, duration_ms = ?
        where id = ? and units > 0 returning id`,
}
export const REFUSED_EVENT: Statement = {
  name: 'refused_event',
  sql: `insert into usage_events (account_id, key_id, at, mode, rows, units, status, duration_ms)
        values (?, ?, ?, ?, ?, 0, ?, ?)`,
}
export const COUNT_REFUSALS: Statement = {
  name: 'count_refusals',
  sql: `insert into usage_days (account_id, key_id, day, mode, status, calls, rows, removed, units)
        values (?, ?, ?, ?, ?, ?, ?, 0, 0)
        on conflict (account_id, day, key_id, mode, status)
        do update set calls = usage_days.calls + excluded.calls, rows = usage_days.rows + excluded.rows`,
}
export const TOUCH_KEY: Statement = {
  name: 'touch_key',
  sql: 'update api_keys set last_used_at = ? where id = ? and (last_used_at is null or last_used_at < ?)',
}
export const TAKE_DAY: Statement = {
  name: 'take_day',
  sql: `insert into keyless_days (day, client, used) values (?, ?, ?)
        on conflict (day, client) do update set used = keyless_days.used + excluded.used
        where keyless_days.used + excluded.used <= ? returning used`,
}
export const GIVE_DAY: Statement = {
  name: 'give_day',
  sql: 'update keyless_days set used = used - ? where day = ? and client = ? and used >= ?',
}
