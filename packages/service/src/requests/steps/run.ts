import { type Refusal, refuse } from '@keepfirst/protocol'
import type { Requester } from '../../compute/compute.ts'
import type { Billable, Done, Endpoint } from '../endpoint.ts'

/** Does the work that was paid for. If it is not done in time, its units are refunded. */
export async function run<Parsed extends Billable>(
  endpoint: Endpoint<Parsed>,
  parsed: Parsed,
  requester: Requester,
): Promise<Done | Refusal> {
  const done = await endpoint.run(parsed, requester)
  if (done === 'too long') return refuse.fuzzyTooLong()
  return done === 'stopping' ? refuse.stopping() : done
}
