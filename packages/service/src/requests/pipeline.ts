import { isRefusal } from '@keepfirst/protocol'
import type { Call, Reply } from './call.ts'
import { tenantOf } from './caller.ts'
import type { Context } from './context.ts'
import type { Billable, Endpoint } from './endpoint.ts'
import { admit } from './steps/admit.ts'
import { authenticate } from './steps/authenticate.ts'
import { parse } from './steps/parse.ts'
import { price } from './steps/price.ts'
import { readBody } from './steps/read-body.ts'
import { type CallSoFar, createRecorder } from './steps/record.ts'
import { run } from './steps/run.ts'

/**
 * Creates the handler of an endpoint: the steps of specification 4.1 in order, each with the statuses that it refuses
 * with. The first step that refuses ends the request, and nothing after it runs.
 */
export function createHandler<Parsed extends Billable>(
  endpoint: Endpoint<Parsed>,
  context: Context,
): (call: Call) => Promise<Reply> {
  const record = createRecorder(endpoint, context)
  return async (call) => {
    const begun = record.begin(call.requestId)
    let soFar: CallSoFar = { begun } // written out at each step, since spreading would cost 2 µs per request
    try {
      const caller = await authenticate(call, context) // 401
      if (isRefusal(caller)) return record.refused(soFar, caller)
      soFar = { begun, caller }
      const shut = endpoint.authorizeCaller(caller) // 401
      if (shut !== undefined) return record.refused(soFar, shut)
      const body = await readBody(call, caller) // 413 503
      if (isRefusal(body)) return record.refused(soFar, body)
      const requester = { tenant: tenantOf(caller), client: call, arrivedAt: context.monotonicMs() }
      const parsed = await parse(endpoint, body, { call, requester }) // 400 503
      if (isRefusal(parsed)) return record.refused(soFar, parsed)
      soFar = { begun, caller, parsed }
      const forbidden = endpoint.authorizeRequest(parsed, caller) // 403 413
      if (forbidden !== undefined) return record.refused(soFar, forbidden)
      const excess = price(parsed, caller.plan) // 413
      if (excess !== undefined) return record.refused(soFar, excess)
      const ticket = await admit(parsed, { caller, client: call }, context) // 429 503
      if (isRefusal(ticket)) return record.refused(soFar, ticket)
      soFar = { begun, caller, parsed, ticket }
      if (call.aborted) return await record.withdrawn(soFar)
      const done = await run(endpoint, parsed, requester) // 503
      return isRefusal(done) ? await record.refunded(soFar, done) : record.answered(soFar, done)
    } catch (error) {
      return await record.failed(soFar, error)
    }
  }
}
