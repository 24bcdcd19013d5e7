import { isRefusal, type Refusal } from '@keepfirst/protocol'
import type { Call, Reply } from './call.ts'
import { tenantOf } from './caller.ts'
import type { Context } from './context.ts'
import type { Billable, Endpoint } from './endpoint.ts'
import { admit } from './steps/admit.ts'
import { authenticate } from './steps/authenticate.ts'
import { parse } from './steps/parse.ts'
import { price } from './steps/price.ts'
import { readBody } from './steps/read-body.ts'
import { CallRecorder } from './steps/record.ts'
import { run } from './steps/run.ts'

/**
 * Creates the handler of an endpoint: the steps of specification 4.1 in order. The first step that refuses ends the
 * request, and nothing after it runs.
 */
export function createHandler<Parsed extends Billable>(
  endpoint: Endpoint<Parsed>,
  context: Context,
): (call: Call) => Promise<Reply> {
  return async (call) => {
    const recorder = new CallRecorder(call.requestId, endpoint, context)
    try {
      return await process(call, { endpoint, context, recorder })
    } catch (error) {
      return await recorder.failed(error)
    }
  }
}

interface Processing<Parsed extends Billable> {
  readonly endpoint: Endpoint<Parsed>
  readonly context: Context
  readonly recorder: CallRecorder
}

async function process<Parsed extends Billable>(
  call: Call,
  { endpoint, context, recorder }: Processing<Parsed>,
): Promise<Reply> {
  const caller = await authenticate(call, context) //                              401
  if (isRefusal(caller)) return recorder.refused(caller)
  recorder.caller = caller
  const body = endpoint.authorizeCaller(caller) ?? (await readBody(call, caller.plan)) // 401 413 503
  if (isRefusal(body)) return recorder.refused(body)
  const requester = { tenant: tenantOf(caller), client: call, arrivedAt: context.monotonicMs() }
  const parsed = await parse(endpoint, body, { call, requester }) //               400 503
  if (isRefusal(parsed)) return recorder.refused(parsed)
  recorder.parsed = parsed
  const refusal: Refusal | undefined = endpoint.authorizeRequest(parsed, caller) ?? price(parsed, caller.plan) // 403 413
  if (refusal !== undefined) return recorder.refused(refusal)
  const ticket = await admit(parsed, { caller, client: call }, context) //         429 503
  if (isRefusal(ticket)) return recorder.refused(ticket)
  recorder.ticket = ticket
  if (call.aborted) return await recorder.withdrawn()
  const done = await run(endpoint, parsed, requester) //                           503
  return isRefusal(done) ? await recorder.refunded(done) : recorder.answered(done)
}
