import { type Plan, type Refusal, refuse } from '@keepfirst/protocol'
import type { Call } from '../call.ts'

/**
 * The body, if its size is allowed (specification 8.2): first the declared length, before a byte is read, then the real
 * length while reading.
 */
export async function readBody(call: Call, plan: Plan): Promise<Uint8Array<ArrayBuffer> | Refusal> {
  if (call.declaredBytes !== undefined && call.declaredBytes > plan.bodyBytes) return refuse.declaredTooLarge(plan)
  const body = await call.readBody(plan.bodyBytes)
  if (body === 'over') return refuse.bodyTooLarge(plan)
  return body === 'busy' ? refuse.busy() : body
}
