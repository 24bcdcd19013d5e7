import { readStrings } from '@keepfirst/engine/request'
import { addressesPerRequest, PLANS, type Refusal, refuse, unreachable } from '@keepfirst/protocol'
import { type Packed, pack } from './packed.ts'

/** The addresses of a request as submitted, lone surrogates included. */
export interface Emails {
  readonly kind: 'emails'
  readonly count: number
  /** Empty when there are more than any plan takes: such a request is priced and refused. */
  readonly emails: Packed
}

const MOST_ADDRESSES = Math.max(...Object.values(PLANS).map(addressesPerRequest))

/**
 * Reads the body of `POST /api/validate`, whose buffer is used up. Every 400 is found here. Pure: the same in line
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
      return { kind: 'emails', count: read.count, emails: pack(read.count <= MOST_ADDRESSES ? read.strings() : []) }
    default:
      return unreachable(read)
  }
}
