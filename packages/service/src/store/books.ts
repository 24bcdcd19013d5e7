import { type BurstLimit, isAccountPlan, PLANS, unreachable } from '@keepfirst/protocol'
import { Windows } from './burst.ts'
import { dayOf, monthOf } from './periods.ts'
import { ask, firstNumber, type Row, type Statement, type Steps } from './steps.ts'
import type {
  Admission,
  Charge,
  Ending,
  KeyHolder,
  KeylessAdmission,
  KeylessCharge,
  RefusedCall,
  Ticket,
} from './store.ts'

/*
 * The books: what is charged, completed, given back and refused, and the statements that do it, the same
 * on both databases. Nothing is read in order to be written: a counter moves by one statement that also
 * holds the limit, in the transaction that writes the event, so that at every commit an account's counter
 * is the sum of its events.
 */

type KeyedTicket = Extract<Ticket, { kind: 'keyed' }>

/** One thing to be written to the books. */
export type Entry =
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'keyless charge'; readonly charge: KeylessCharge }
  | { readonly kind: 'completion'; readonly ticket: KeyedTicket; readonly ending: Ending }
  | { readonly kind: 'refund'; readonly ticket: Ticket; readonly ending: Ending }
  | { readonly kind: 'refusal'; readonly call: RefusedCall }

export type Outcome = Admission | KeylessAdmission | { readonly outcome: 'written' }

const WRITTEN: Outcome = { outcome: 'written' }

/** Refused calls of one key that are stored singly; what comes beyond is counted, so that it fills no disk. */
export const SINGLE_REFUSALS: BurstLimit = { requests: 100, windowSeconds: 3_600 }

const FIND_HOLDER: Statement = {
  name: 'find_holder',
  sql: `select k.id as key_id, k.account_id, a.plan from api_keys k join accounts a on a.id = k.account_id
        where k.hash = ? and k.revoked_at is null`,
}
/** Takes units if the month can bear them. The first charge of a month is not held to the limit: `PLANS` sees to it. */
const TAKE_MONTH: Statement = {
  name: 'take_month',
  sql: `insert into usage_months (account_id, month, used) values (?, ?, ?)
        on conflict (account_id, month) do update set used = usage_months.used + excluded.used
        where usage_months.used + excluded.used <= ? returning used`,
}
const READ_MONTH: Statement = {
  name: 'read_month',
  sql: 'select used from usage_months where account_id = ? and month = ?',
}
const GIVE_MONTH: Statement = {
  name: 'give_month',
  sql: 'update usage_months set used = used - ? where account_id = ? and month = ?',
}
const OPEN_EVENT: Statement = {
  name: 'open_event',
  sql: `insert into usage_events (account_id, key_id, at, mode, rows, units)
        values (?, ?, ?, ?, ?, ?) returning id`,
}
const COMPLETE_EVENT: Statement = {
  name: 'complete_event',
  sql: 'update usage_events set status = ?, removed = ?, duration_ms = ? where id = ?',
}
const REFUND_EVENT: Statement = {
  name: 'refund_event',
  sql: `update usage_events set units = 0, status = ?, removed = ?, duration_ms = ?
        where id = ? and units > 0 returning id`,
}
const REFUSED_EVENT: Statement = {
  name: 'refused_event',
  sql: `insert into usage_events (account_id, key_id, at, mode, rows, units, status, duration_ms)
        values (?, ?, ?, ?, ?, 0, ?, ?)`,
}
const COUNT_REFUSAL: Statement = {
  name: 'count_refusal',
  sql: `insert into usage_days (account_id, key_id, day, mode, status, calls, rows, removed, units)
        values (?, ?, ?, ?, ?, 1, ?, 0, 0)
        on conflict (account_id, day, key_id, mode, status)
        do update set calls = usage_days.calls + 1, rows = usage_days.rows + excluded.rows`,
}
const TOUCH_KEY: Statement = {
  name: 'touch_key',
  sql: 'update api_keys set last_used_at = ? where id = ? and (last_used_at is null or last_used_at < ?)',
}
const TAKE_DAY: Statement = {
  name: 'take_day',
  sql: `insert into keyless_days (day, client, used) values (?, ?, ?)
        on conflict (day, client) do update set used = keyless_days.used + excluded.used
        where keyless_days.used + excluded.used <= ? returning used`,
}
const GIVE_DAY: Statement = {
  name: 'give_day',
  sql: 'update keyless_days set used = used - ? where day = ? and client = ? and used >= ?',
}

/** What one instance remembers of its keys: burst windows, and how many refusals it stored singly. */
export class InstanceMemory {
  readonly bursts: Windows = new Windows()
  readonly refusals: Windows = new Windows()

  dropEnded(at: number): void {
    this.bursts.dropEnded(at)
    this.refusals.dropEnded(at)
  }
}

/** Slots that one transaction takes. Memory knows no rollback, so they are given back when it fails. */
export class Slots {
  readonly #memory: InstanceMemory
  readonly #taken: { readonly windows: Windows; readonly key: string }[] = []

  constructor(memory: InstanceMemory) {
    this.#memory = memory
  }

  secondsToWait(key: string, limit: BurstLimit, at: number): number {
    return this.#memory.bursts.secondsToWait(key, limit, at)
  }

  takeBurst(key: string, limit: BurstLimit, at: number): void {
    this.#take(this.#memory.bursts, key, limit, at)
  }

  /** May one more refused call of `key` be stored singly? Takes the place if so. */
  takeRefusal(key: string, at: number): boolean {
    return this.#take(this.#memory.refusals, key, SINGLE_REFUSALS, at)
  }

  giveBack(): void {
    for (const { windows, key } of this.#taken.splice(0)) windows.giveBack(key)
  }

  #take(windows: Windows, key: string, limit: BurstLimit, at: number): boolean {
    const took = windows.take(key, limit, at)
    if (took) this.#taken.push({ windows, key })
    return took
  }
}

/** Entries of one account or one keyless client, in the order in which they came, and where each stood. */
export interface Lane {
  readonly name: string
  readonly entries: { readonly position: number; readonly entry: Entry }[]
}

/**
 * Parts a batch into lanes that have no row in common. Every instance walks them in the same order, so
 * that two transactions on one database wait for each other and never in a circle.
 */
export function lanesOf(entries: readonly Entry[]): readonly Lane[] {
  const lanes = new Map<string, Lane>()
  for (const [position, entry] of entries.entries()) {
    const name = laneName(entry)
    const lane = lanes.get(name) ?? { name, entries: [] }
    lane.entries.push({ position, entry })
    lanes.set(name, lane)
  }
  return [...lanes.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function laneName(entry: Entry): string {
  switch (entry.kind) {
    case 'charge':
      return `account ${entry.charge.holder.accountId}`
    case 'refusal':
      return `account ${entry.call.holder.accountId}`
    case 'completion':
      return `account ${entry.ticket.accountId}`
    case 'refund':
      return entry.ticket.kind === 'keyed' ? `account ${entry.ticket.accountId}` : `client ${entry.ticket.client}`
    case 'keyless charge':
      return `client ${entry.charge.client}`
    default:
      return unreachable(entry)
  }
}

/** Applies the entries of one lane in order and puts each outcome at its entry's position. */
export function* applyLane(lane: Lane, slots: Slots, outcomes: Outcome[]): Steps<void> {
  for (const { position, entry } of lane.entries) outcomes[position] = yield* applyEntry(entry, slots)
}

function applyEntry(entry: Entry, slots: Slots): Steps<Outcome> {
  switch (entry.kind) {
    case 'charge':
      return takeMonthAndSlot(entry.charge, slots)
    case 'keyless charge':
      return takeDay(entry.charge)
    case 'completion':
      return completeEvent(entry.ticket, entry.ending)
    case 'refund':
      return entry.ticket.kind === 'keyed' ? giveMonth(entry.ticket, entry.ending) : giveDay(entry.ticket)
    case 'refusal':
      return writeRefusal(entry.call, slots)
    default:
      return unreachable(entry)
  }
}

/** Month first, then the slot (specification 4.1); both are taken or none. */
function* takeMonthAndSlot(charge: Charge, slots: Slots): Steps<Admission> {
  const { holder, at, mode, rows, units } = charge
  const { allowance, burst } = PLANS[holder.plan]
  const period = monthOf(at)
  // Looked at before the month is charged, so that a full window leaves nothing to undo.
  const retryAfterSeconds = burst === null ? 0 : slots.secondsToWait(holder.keyId, burst, at)
  if (burst !== null && retryAfterSeconds > 0) {
    const used = yield* readMonth(holder.accountId, period)
    if (used + units > allowance.units) return { outcome: 'month spent', used }
    return { outcome: 'burst', limit: burst, retryAfterSeconds }
  }
  const taken = yield* ask(TAKE_MONTH, holder.accountId, period, units, allowance.units)
  if (taken.length === 0) return { outcome: 'month spent', used: yield* readMonth(holder.accountId, period) }
  if (burst !== null) slots.takeBurst(holder.keyId, burst, at)
  const event = yield* ask(OPEN_EVENT, holder.accountId, holder.keyId, at, mode, rows, units)
  const eventId = String(firstNumber(event, 'id'))
  return { outcome: 'admitted', ticket: { kind: 'keyed', eventId, accountId: holder.accountId, period, units } }
}

function* readMonth(accountId: string, period: string): Steps<number> {
  return firstNumber(yield* ask(READ_MONTH, accountId, period), 'used') ?? 0
}

function* takeDay({ client, at, units }: KeylessCharge): Steps<KeylessAdmission> {
  const period = dayOf(at)
  const taken = yield* ask(TAKE_DAY, period, client, units, PLANS.keyless.allowance.units)
  if (taken.length === 0) return { outcome: 'day spent' }
  return { outcome: 'admitted', ticket: { kind: 'keyless', client, period, units } }
}

function* completeEvent(ticket: KeyedTicket, { status, removed, durationMs }: Ending): Steps<Outcome> {
  yield* ask(COMPLETE_EVENT, status, removed, Math.round(durationMs), Number(ticket.eventId))
  return WRITTEN
}

/** An event that was refunded already, or folded into its day since, keeps the counter as it is. */
function* giveMonth(ticket: KeyedTicket, { status, removed, durationMs }: Ending): Steps<Outcome> {
  const refunded = yield* ask(REFUND_EVENT, status, removed, Math.round(durationMs), Number(ticket.eventId))
  if (refunded.length > 0) yield* ask(GIVE_MONTH, ticket.units, ticket.accountId, ticket.period)
  return WRITTEN
}

function* giveDay(ticket: Extract<Ticket, { kind: 'keyless' }>): Steps<Outcome> {
  yield* ask(GIVE_DAY, ticket.units, ticket.period, ticket.client, ticket.units)
  return WRITTEN
}

function* writeRefusal(call: RefusedCall, slots: Slots): Steps<Outcome> {
  const { holder, at, mode, rows, status, durationMs } = call
  const { accountId, keyId } = holder
  if (slots.takeRefusal(keyId, at)) {
    yield* ask(REFUSED_EVENT, accountId, keyId, at, mode, rows, status, Math.round(durationMs))
  } else {
    yield* ask(COUNT_REFUSAL, accountId, keyId, dayOf(at), mode ?? '', status, rows ?? 0)
  }
  return WRITTEN
}

/** Notes when the keys of a batch were last used, each once. Comes after all lanes: locks are taken in one order. */
export function* touchKeys(entries: readonly Entry[]): Steps<void> {
  const lastUse = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind !== 'charge' && entry.kind !== 'refusal') continue
    const { holder, at } = entry.kind === 'charge' ? entry.charge : entry.call
    lastUse.set(holder.keyId, Math.max(at, lastUse.get(holder.keyId) ?? at))
  }
  for (const [keyId, at] of [...lastUse].sort(([a], [b]) => (a < b ? -1 : 1))) yield* ask(TOUCH_KEY, at, keyId, at)
}

/** The holder of an active key, found by the hash of its token. */
export function* findHolder(tokenHash: string): Steps<KeyHolder | undefined> {
  const [row] = yield* ask(FIND_HOLDER, tokenHash)
  return row && holderOf(row)
}

function holderOf({ key_id: keyId, account_id: accountId, plan }: Row): KeyHolder {
  if (typeof keyId !== 'string' || typeof accountId !== 'string' || typeof plan !== 'string' || !isAccountPlan(plan))
    throw new TypeError('a key has no account on a plan')
  return { keyId, accountId, plan }
}
