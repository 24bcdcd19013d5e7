import { isRefusal, type Refusal, refuse } from '@keepfirst/protocol'
import type { Requester } from '../../compute/compute.ts'
import type { Call } from '../call.ts'
import type { Billable, Endpoint } from '../endpoint.ts'

interface ParseContext {
  readonly call: Call
  readonly requester: Requester
}

/** Parses the body, and reserves memory for the result. */
export async function parse<Parsed extends Billable>(
  endpoint: Endpoint<Parsed>,
  body: Uint8Array<ArrayBuffer>,
  { call, requester }: ParseContext,
): Promise<Parsed | Refusal> {
  const parsed = await endpoint.parse(body, requester)
  if (parsed === 'stopping') return refuse.stopping()
  if (isRefusal(parsed)) return parsed
  return call.reserveMemory(parsed.heldBytes) ? parsed : refuse.busy()
}
