import { PLANS, type Plan } from '@keepfirst/protocol'
import type { KeyHolder } from '../store/store.ts'

/** Who makes a request, and on which plan. */
export type Caller =
  | { readonly kind: 'keyless'; readonly plan: Plan; readonly client: string }
  | { readonly kind: 'keyed'; readonly plan: Plan; readonly holder: KeyHolder }

/** A caller without a key; `client` is the keyed hash of its network address. */
export function keyless(client: string): Caller {
  return { kind: 'keyless', plan: PLANS.keyless, client }
}

/** The holder of an active key, with the plan of its account. */
export function keyed(holder: KeyHolder): Caller {
  return { kind: 'keyed', plan: PLANS[holder.plan], holder }
}

/** The unit of fairness where callers take turns: the account, or the keyless address. */
export function tenantOf(caller: Caller): string {
  return caller.kind === 'keyed' ? `account ${caller.holder.accountId}` : `client ${caller.client}`
}
