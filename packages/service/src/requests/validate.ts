import { type Refusal, refuse, UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import { encodeAnswer, type Hygiene, judge } from '../hygiene/verdict.ts'
import { type Call, HungUp } from './call.ts'
import type { Desk } from './desk.ts'
import type { Emails } from './steps/parse-emails.ts'
import type { Done, Endpoint, Work } from './way.ts'

/** What the endpoint needs at hand beside what all requests need. */
export interface ValidateOptions extends Pick<Desk, 'baseUrl'> {
  /** Reads a body of this endpoint, a large one in a worker thread. `busy` when the queue is full. */
  readEmails(body: ArrayBuffer, hungUp: AbortSignal): Promise<Emails | Refusal | 'busy'>
  readonly hygiene: Hygiene
  /** All the time that DNS gets for one request. */
  readonly dnsMs: number
}

/** `POST /api/validate` (specification 4.5): with a key only; every address costs the same, repeated ones too. */
export function validate({ baseUrl, readEmails, hygiene, dnsMs }: ValidateOptions): Endpoint<Work> {
  return {
    path: '/api/validate',
    greet: (caller) => (caller.kind === 'keyless' ? refuse.keyRequired(baseUrl) : undefined),
    async open(body, call) {
      const read = await readEmails(body, call.hungUp)
      if (read === 'busy' || read.kind === 'refusal') return read
      const { emails } = read
      return {
        kind: 'job',
        mode: 'validate',
        rows: emails.length,
        units: Math.max(UNITS_PER_ADDRESS * emails.length, 1),
        run: () => answer(emails, call),
        discard() {},
      }
    },
    permit: () => undefined,
  }

  async function answer(emails: readonly string[], { hungUp }: Call): Promise<Done> {
    try {
      const verdicts = await judge(emails, hygiene, { deadlineMs: dnsMs, hungUp })
      return { kind: 'ran', body: await encodeAnswer(verdicts), removed: null }
    } catch (error) {
      throw hungUp.aborted ? new HungUp() : error
    }
  }
}
