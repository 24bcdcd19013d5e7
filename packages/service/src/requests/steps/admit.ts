import { type Refusal, refuse, unreachable } from '@keepfirst/protocol'
import { resetOf } from '../../accounts/usage.ts'
import type { Ticket } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import type { Desk } from '../desk.ts'
import type { Work } from '../way.ts'

/**
 * Steps 5 and 6, the allowance and the burst window (specification 8.2, 8.3): both taken or none, durably,
 * before the work begins.
 */
export async function admit(work: Work, caller: Caller, desk: Desk): Promise<Ticket | Refusal> {
  try {
    return await (caller.kind === 'keyless' ? admitKeyless(work, caller, desk) : admitKeyed(work, caller, desk))
  } catch (error) {
    desk.log.error({ err: error }, 'a request could not be admitted: the store does not answer')
    return refuse.storeDown()
  }
}

type Keyless = Extract<Caller, { kind: 'keyless' }>
type Keyed = Extract<Caller, { kind: 'keyed' }>

async function admitKeyless({ units }: Work, caller: Keyless, desk: Desk): Promise<Ticket | Refusal> {
  const admission = await desk.store.admitKeyless({ client: caller.client, at: desk.now(), units })
  if (admission.outcome === 'day spent') return refuse.daySpent(caller.plan, units, desk.baseUrl)
  return admission.ticket
}

async function admitKeyed({ mode, rows, units }: Work, caller: Keyed, desk: Desk): Promise<Ticket | Refusal> {
  const at = desk.now()
  const admission = await desk.store.admit({ holder: caller.holder, at, mode, rows, units })
  switch (admission.outcome) {
    case 'admitted':
      return admission.ticket
    case 'month spent':
      return refuse.monthSpent(caller.plan, admission.used, resetOf(at))
    case 'burst':
      return refuse.burst(caller.plan, admission.limit, admission.retryAfterSeconds)
    default:
      return unreachable(admission)
  }
}
