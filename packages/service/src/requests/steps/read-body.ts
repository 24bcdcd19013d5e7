import { type Refusal, refuse } from '@keepfirst/protocol'
import type { Call } from '../call.ts'
import { type Caller, tenantOf } from '../caller.ts'

/**
 * The body, if its size is allowed (specification 8.2): first the declared length, before a byte is read, then the real
 * length while reading.
 */
export async function readBody(call: Call, caller: Caller): Promise<Uint8Array<ArrayBuffer> | Refusal> {
  const { plan } = caller
  if (call.declaredBytes !== undefined && call.declaredBytes > plan.bodyBytes) return refuse.declaredTooLarge(plan)
  const body = await call.readBody(plan.bodyBytes, tenantOf(caller))
  if (body === 'over') return refuse.bodyTooLarge(plan)
  return body === 'busy' ? refuse.busy() : body
}
