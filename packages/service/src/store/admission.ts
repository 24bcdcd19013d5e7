import { PLANS, unreachable } from '@keepfirst/protocol'
import { type ChargeRequest, ticketOf } from './charge-group.ts'
import type { Ledger } from './ledger.ts'
import { dayOf, monthOf } from './periods.ts'
import type { Charge, KeylessCharge, Store } from './store.ts'

/** The store's charges: in the ledger, keys' accounts and keyless addresses are both counters with a limit. */
export function createAdmission(ledger: Ledger, newId: () => string): Pick<Store, 'admit' | 'admitKeyless'> {
  return {
    async admit(charge, client) {
      const request = keyedRequest(charge, newId())
      const result = await ledger.charge(request, client)
      switch (result.outcome) {
        case 'admitted':
          return { outcome: 'admitted', ticket: ticketOf(request) }
        case 'spent':
          return { outcome: 'month spent', used: result.used }
        case 'burst':
        case 'withdrawn':
          return result
        default:
          return unreachable(result)
      }
    },
    async admitKeyless(charge, client) {
      const request = keylessRequest(charge, newId())
      const result = await ledger.charge(request, client)
      switch (result.outcome) {
        case 'admitted':
          return { outcome: 'admitted', ticket: ticketOf(request) }
        case 'spent':
        case 'burst': // cannot happen: an address has no burst window
          return { outcome: 'day spent' }
        case 'withdrawn':
          return result
        default:
          return unreachable(result)
      }
    },
  }
}

function keyedRequest({ holder, at, mode, rows, units }: Charge, id: string): ChargeRequest {
  const { allowance, burst } = PLANS[holder.plan]
  const keyed = { keyId: holder.keyId, burst, call: { mode, rows } }
  return { id, counter: holder.accountId, period: monthOf(at), at, units, limit: allowance.units, keyed }
}

function keylessRequest({ addressHash, at, units }: KeylessCharge, id: string): ChargeRequest {
  const { allowance } = PLANS.keyless
  return { id, counter: addressHash, period: dayOf(at), at, units, limit: allowance.units, keyed: undefined }
}
