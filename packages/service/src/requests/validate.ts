import { refuse, unitsOfAddresses } from '@keepfirst/protocol'
import { ClientDisconnected } from '../client-connection.ts'
import type { Compute } from '../compute/compute.ts'
import { heldBytes, type Packed, unpack } from '../compute/packed.ts'
import { ResolverStopped } from '../email-validation/mx-resolver.ts'
import { judge, type ValidationSources } from '../email-validation/verdict.ts'
import type { Context } from './context.ts'
import type { Billable, Endpoint } from './endpoint.ts'

/** What the endpoint needs besides the common context. */
export interface ValidateOptions extends Pick<Context, 'baseUrl'> {
  readonly compute: Pick<Compute, 'parseEmails'>
  readonly sources: ValidationSources
  /** Time for all DNS look-ups of one request. */
  readonly dnsMs: number
}

interface Validation extends Billable {
  readonly emails: Packed
}

/** `POST /api/validate` (specification 4.5): needs a key; every address costs the same, including repeated ones. */
export function validate({ baseUrl, compute, sources, dnsMs }: ValidateOptions): Endpoint<Validation> {
  return {
    path: '/api/validate',
    mode: 'validate',
    authorizeCaller: (caller) => (caller.kind === 'keyless' ? refuse.keyRequired(baseUrl) : undefined),
    async parse(body, requester) {
      const read = await compute.parseEmails(body, requester)
      if (read === 'stopping' || read.kind === 'refusal') return read
      const { count: rows, emails } = read
      const units = unitsOfAddresses(rows)
      return { kind: 'parsed', mode: 'validate', rows, units, heldBytes: heldBytes(emails), emails }
    },
    authorizeRequest: () => undefined,
    async run({ emails }, { client }) {
      try {
        const body = await judge(unpack(emails), sources, { deadlineMs: dnsMs, signal: client.signal })
        return { kind: 'ran', body, removed: null }
      } catch (error) {
        if (client.aborted) throw new ClientDisconnected()
        if (error instanceof ResolverStopped) return 'stopping'
        throw error
      }
    },
  }
}
