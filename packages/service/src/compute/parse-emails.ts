import { itemsOf, type JsonValue, kindOf, stringOf } from '@keepfirst/engine'
import { PLANS, type Refusal, refuse, UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import { readBodyMembers } from './json.ts'
import { type Packed, pack } from './packed.ts'

/** The addresses of a request as submitted, lone surrogates included. */
export interface Emails {
  readonly kind: 'emails'
  readonly count: number
  /** Empty when there are more than any plan takes: such a request is priced and refused. */
  readonly emails: Packed
}

const MOST_ADDRESSES = Math.max(...Object.values(PLANS).map((plan) => plan.unitsPerRequest)) / UNITS_PER_ADDRESS

const MEMBERS: ReadonlySet<string> = new Set(['emails'])

/**
 * Reads the body of `POST /api/validate`. Every 400 is found here. What the body nests
 * is read over and not made into values, so that no body takes more time than its length. Pure: the same in
 * line and in a worker thread.
 */
export function parseEmails(body: ArrayBuffer | Uint8Array): Emails | Refusal {
  const members = readBodyMembers(body, MEMBERS)
  if (members === undefined) return refuse.unparseableBody()
  const list = members.get('emails')
  return list && kindOf(list) === 'array' ? readStrings(list) : refuse.badEmails()
}

function readStrings(array: JsonValue): Emails | Refusal {
  const { text, spans, count } = itemsOf(array)
  const emails: string[] = []
  for (let i = 0; i < count; i++) {
    const item = { text, start: spans.start(i), end: spans.end(i) }
    if (kindOf(item) !== 'string') return refuse.badEmails()
    if (count <= MOST_ADDRESSES) emails.push(stringOf(item))
  }
  return { kind: 'emails', count, emails: pack(emails) }
}
