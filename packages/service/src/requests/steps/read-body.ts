import { type Plan, type Refusal, refuse } from '@keepfirst/protocol'
import type { Call } from '../call.ts'

/**
 * Step 2, the body's size (specification 8.2): the declared length decides before a byte is read, the real
 * length while it is read.
 */
export async function readBody(call: Call, plan: Plan): Promise<Uint8Array<ArrayBuffer> | Refusal> {
  if (call.declaredBytes !== undefined && call.declaredBytes > plan.bodyBytes) return refuse.declaredTooLarge(plan)
  const body = await call.readBody(plan.bodyBytes)
  if (body === 'over') return refuse.bodyTooLarge(plan)
  return body === 'busy' ? refuse.busy() : body
}
