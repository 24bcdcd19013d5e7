import { refuse, UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import { type Addresses, type Hygiene, judge } from '../hygiene/verdict.ts'
import { type Client, type EmailReader, HungUp } from './call.ts'
import type { Desk } from './desk.ts'
import { unpack } from './steps/packed.ts'
import type { Done, Endpoint, Work } from './way.ts'

/** What the endpoint needs at hand beside what all requests need. */
export interface ValidateOptions extends Pick<Desk, 'baseUrl'> {
  readonly reader: EmailReader
  readonly hygiene: Hygiene
  /** All the time that DNS gets for one request. */
  readonly dnsMs: number
}

/** `POST /api/validate` (specification 4.5): with a key only; every address costs the same, repeated ones too. */
export function validate({ baseUrl, reader, hygiene, dnsMs }: ValidateOptions): Endpoint<Work> {
  return {
    path: '/api/validate',
    mode: 'validate',
    greet: (caller) => (caller.kind === 'keyless' ? refuse.keyRequired(baseUrl) : undefined),
    async open(body, client) {
      const read = await reader.readEmails(body, client)
      if (read === 'busy' || read.kind === 'refusal') return read
      const { count, emails } = read
      return {
        kind: 'job',
        mode: 'validate',
        rows: count,
        units: Math.max(UNITS_PER_ADDRESS * count, 1),
        run: () => answer(unpack(emails), client),
        discard() {},
      }
    },
    permit: () => undefined,
  }

  async function answer(emails: Addresses, { hungUp }: Client): Promise<Done> {
    try {
      const body = await judge(emails, hygiene, { deadlineMs: dnsMs, hungUp })
      return { kind: 'ran', body, removed: null }
    } catch (error) {
      throw hungUp.aborted ? new HungUp() : error
    }
  }
}
