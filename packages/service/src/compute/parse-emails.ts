import { readStrings } from '@keepfirst/engine/request'
import { addressesPerRequest, PLANS, type Refusal, refuse, unreachable } from '@keepfirst/protocol'
import { type Packed, pack } from './packed.ts'

/** The addresses of a request as submitted, including lone surrogates. */
export interface Emails {
  readonly kind: 'emails'
  readonly count: number
  /** Empty if there are more than any plan accepts: such a request is priced and refused. */
  readonly emails: Packed
}

const MAX_ADDRESSES = Math.max(...Object.values(PLANS).map(addressesPerRequest))

/**
 * Parses the body of `POST /api/validate`, consuming its buffer, and finds every 400. Pure: the same on the event loop
 * and in a worker thread.
 */
export function parseEmails(body: Uint8Array<ArrayBuffer>): Emails | Refusal {
  const read = readStrings(body, 'emails')
  switch (read.kind) {
    case 'unparseable':
      return refuse.unparseableBody()
    case 'other':
      return refuse.badEmails()
    case 'strings':
      return { kind: 'emails', count: read.count, emails: pack(read.count <= MAX_ADDRESSES ? read.strings() : []) }
    default:
      return unreachable(read)
  }
}
