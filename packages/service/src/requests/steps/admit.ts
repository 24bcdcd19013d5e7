import { type Refusal, refuse, unreachable } from '@keepfirst/protocol'
import { resetOf } from '../../accounts/usage.ts'
import { type ClientConnection, ClientDisconnected } from '../../client-connection.ts'
import type { Admission, KeylessAdmission, Ticket } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Billable } from '../endpoint.ts'

interface Payer {
  readonly caller: Caller
  readonly client: ClientConnection
}

/**
 * Allowance and burst window (specification 8.2, 8.3): both or neither are taken, durably, before the work begins. If
 * the client disconnects while its charge is waiting, the charge is withdrawn.
 * @throws ClientDisconnected when the client disconnected and nothing was charged
 */
export async function admit(billable: Billable, payer: Payer, context: Context): Promise<Ticket | Refusal> {
  if (payer.client.aborted) throw new ClientDisconnected()
  const at = context.now()
  let admission: Admission | KeylessAdmission
  try {
    admission = await charge(billable, payer, { at, store: context.store })
  } catch (error) {
    context.log.error({ err: error }, 'a request could not be admitted: the store does not answer')
    return refuse.storeDown()
  }
  const { plan } = payer.caller
  switch (admission.outcome) {
    case 'admitted':
      return admission.ticket
    case 'withdrawn':
      throw new ClientDisconnected()
    case 'day spent':
      return refuse.daySpent(plan, billable.units, context.baseUrl)
    case 'month spent':
      return refuse.monthSpent(plan, admission.used, resetOf(at))
    case 'burst':
      return refuse.burst(plan, admission.limit, admission.retryAfterSeconds)
    default:
      return unreachable(admission)
  }
}

type Ledger = Pick<Context, 'store'> & { readonly at: number }

function charge(
  { mode, rows, units }: Billable,
  { caller, client }: Payer,
  { at, store }: Ledger,
): Promise<Admission | KeylessAdmission> {
  return caller.kind === 'keyless'
    ? store.admitKeyless({ addressHash: caller.addressHash, at, units }, client)
    : store.admit({ holder: caller.holder, at, mode, rows, units }, client)
}
