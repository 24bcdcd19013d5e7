import { PLANS, type Plan } from '@keepfirst/protocol'
import type { KeyHolder } from '../store/store.ts'

/** Who makes a request, and on which plan. */
export type Caller =
  | { readonly kind: 'keyless'; readonly plan: Plan; readonly addressHash: string }
  | { readonly kind: 'keyed'; readonly plan: Plan; readonly holder: KeyHolder }

/** A caller without a key; `addressHash` is the keyed hash of its network address. */
export function keyless(addressHash: string): Caller {
  return { kind: 'keyless', plan: PLANS.keyless, addressHash }
}

/** The holder of an active key, with the plan of its account. */
export function keyed(holder: KeyHolder): Caller {
  return { kind: 'keyed', plan: PLANS[holder.plan], holder }
}

/** The unit of fairness where callers take turns: the account, or the keyless address. */
export function tenantOf(caller: Caller): string {
  return caller.kind === 'keyed' ? `account ${caller.holder.accountId}` : `address ${caller.addressHash}`
}
