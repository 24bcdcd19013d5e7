import { FUZZY_ROWS, refuse, unitsOf } from '@keepfirst/protocol'
import type { Compute } from '../compute/compute.ts'
import { isFuzzy, type ParsedRequest } from '../compute/parse-request.ts'
import type { Context } from './context.ts'
import type { Billable, Endpoint } from './endpoint.ts'

interface Deduplication extends Billable {
  readonly request: ParsedRequest
}

/** `POST /api/dedupe` (specification 4.1), open to everyone; only fuzzy matching needs a key. */
export function dedupe(compute: Compute, { baseUrl }: Pick<Context, 'baseUrl'>): Endpoint<Deduplication> {
  return {
    path: '/api/dedupe',
    mode: null,
    authorizeCaller: () => undefined,
    async parse(body, requester) {
      const bodyBytes = body.byteLength // read now, because the body may move to a worker
      const request = await compute.parse(body, requester)
      if (request === 'stopping' || request.kind === 'refusal') return request
      const { question, rows, data } = request
      const heldBytes = data.bytes.buffer.byteLength + (data.ends?.byteLength ?? 0)
      return { kind: 'parsed', mode: question.mode, rows, units: unitsOf(rows, bodyBytes), heldBytes, request }
    },
    authorizeRequest({ request, rows }, caller) {
      if (!isFuzzy(request)) return undefined
      if (caller.kind === 'keyless') return refuse.fuzzyNeedsKey(baseUrl)
      return rows > FUZZY_ROWS ? refuse.tooManyFuzzyRows(rows) : undefined
    },
    run: ({ request }, requester) => compute.run(request, requester),
  }
}
