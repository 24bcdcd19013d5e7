import { isAccountPlan, PLANS } from '@keepfirst/protocol'
import { dayOf, monthOf } from './periods.ts'
import type { Slots } from './slots.ts'
import * as statements from './statements.ts'
import { ask, firstNumber, type Row, type Steps } from './steps.ts'
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
 * The books: what is charged, given back, completed and refused. Nothing is read in order to be written: a
 * counter moves by one statement that also holds the limit, in the transaction that writes the event, so
 * that at every commit an account's counter is the sum of its events.
 */

type KeyedTicket = Extract<Ticket, { kind: 'keyed' }>
type KeylessTicket = Extract<Ticket, { kind: 'keyless' }>

/** One thing to be written to the books. */
export type Entry =
  | { readonly kind: 'charge'; readonly charge: Charge }
  | { readonly kind: 'keyless charge'; readonly charge: KeylessCharge }
  | { readonly kind: 'refund'; readonly ticket: Ticket; readonly ending: Ending }
  | { readonly kind: 'completion'; readonly ticket: KeyedTicket; readonly ending: Ending }
  | { readonly kind: 'refusal'; readonly call: RefusedCall }

export type Outcome = Admission | KeylessAdmission | { readonly outcome: 'written' }

/** Month first, then the slot (specification 4.1); both are taken or none. */
export function* takeMonthAndSlot(charge: Charge, slots: Slots): Steps<Admission> {
  const { accountId, keyId, plan } = charge.holder
  const { at, mode, rows, units } = charge
  const { allowance, burst } = PLANS[plan]
  const period = monthOf(at)
  // Looked at before the month is charged, so that a full window leaves nothing to undo.
  const retryAfterSeconds = burst === null ? 0 : slots.secondsToWait(keyId, burst, at)
  if (burst !== null && retryAfterSeconds > 0) {
    const used = firstNumber(yield* ask(statements.HOLD_MONTH, accountId, period), 'used') ?? 0
    if (used + units > allowance.units) return { outcome: 'month spent', used }
    return { outcome: 'burst', limit: burst, retryAfterSeconds }
  }
  const taken = yield* ask(statements.TAKE_MONTH, accountId, period, units, allowance.units)
  if (taken.length === 0) {
    const used = firstNumber(yield* ask(statements.HOLD_MONTH, accountId, period), 'used') ?? 0
    return { outcome: 'month spent', used }
  }
  if (burst !== null) slots.takeBurst(keyId, burst, at)
  const eventId = firstNumber(yield* ask(statements.OPEN_EVENT, accountId, keyId, at, mode, rows, units), 'id')
  return { outcome: 'admitted', ticket: { kind: 'keyed', eventId: String(eventId), accountId, period, units } }
}

export function* takeDay({ client, at, units }: KeylessCharge): Steps<KeylessAdmission> {
  const period = dayOf(at)
  const taken = yield* ask(statements.TAKE_DAY, period, client, units, PLANS.keyless.allowance.units)
  if (taken.length === 0) return { outcome: 'day spent' }
  return { outcome: 'admitted', ticket: { kind: 'keyless', client, period, units } }
}

/** An event that was refunded already, or folded into its day since, leaves the counter as it is. */
export function* giveMonth({ accountId, period, eventId, units }: KeyedTicket, ending: Ending): Steps<Outcome> {
  yield* ask(statements.HOLD_MONTH, accountId, period)
  const { status, removed, durationMs } = ending
  const refunded = yield* ask(statements.REFUND_EVENT, status, removed, Math.round(durationMs), Number(eventId))
  if (refunded.length > 0) yield* ask(statements.GIVE_MONTH, units, accountId, period)
  return { outcome: 'written' }
}

/** A day that is over and was dropped has nothing to be given back to. */
export function* giveDay({ client, period, units }: KeylessTicket): Steps<Outcome> {
  yield* ask(statements.GIVE_DAY, units, period, client, units)
  return { outcome: 'written' }
}

export function* completeEvent({ eventId }: KeyedTicket, { status, removed, durationMs }: Ending): Steps<void> {
  yield* ask(statements.COMPLETE_EVENT, status, removed, Math.round(durationMs), Number(eventId))
}

/** Stores a refused call singly. */
export function* writeRefusal({ holder, at, mode, rows, status, durationMs }: RefusedCall): Steps<void> {
  const { accountId, keyId } = holder
  yield* ask(statements.REFUSED_EVENT, accountId, keyId, at, mode, rows, status, Math.round(durationMs))
}

/** Adds calls of one key and one day that were refused alike to the sums of that day. */
export function* countRefusals(calls: readonly RefusedCall[]): Steps<void> {
  const [first] = calls
  if (first === undefined) return
  const { accountId, keyId } = first.holder
  const rows = calls.reduce((sum, call) => sum + (call.rows ?? 0), 0)
  const [day, mode] = [dayOf(first.at), first.mode ?? '']
  yield* ask(statements.COUNT_REFUSALS, accountId, keyId, day, mode, first.status, calls.length, rows)
}

/** Notes that a key was used. */
export function* touchKey(keyId: string, at: number): Steps<void> {
  yield* ask(statements.TOUCH_KEY, at, keyId, at)
}

/** The holder of an active key, found by the hash of its token. */
export function* findHolder(tokenHash: string): Steps<KeyHolder | undefined> {
  const [row] = yield* ask(statements.FIND_HOLDER, tokenHash)
  return row && holderOf(row)
}

function holderOf({ key_id: keyId, account_id: accountId, plan }: Row): KeyHolder {
  if (typeof keyId !== 'string' || typeof accountId !== 'string' || typeof plan !== 'string' || !isAccountPlan(plan))
    throw new TypeError('a key has no account on a plan')
  return { keyId, accountId, plan }
}
