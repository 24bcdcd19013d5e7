import { itemsOf, type JsonValue, kindOf, membersOf, stringOf } from '@keepfirst/engine'
import { type Refusal, refuse } from '@keepfirst/protocol'
import { readBodyJson } from './json.ts'

/** The addresses of a request as submitted, lone surrogates included. */
export interface Emails {
  readonly kind: 'emails'
  readonly emails: readonly string[]
}

const MEMBERS: ReadonlySet<string> = new Set(['emails'])

/**
 * Step 3, what is asked for: reads the body of `POST /api/validate`. Every 400 is found here. What the body nests
 * is read over and not made into values, so that no body takes more time than its length. Pure: the same in
 * line and in a worker thread.
 */
export function parseEmails(body: ArrayBuffer | Uint8Array): Emails | Refusal {
  const request = readBodyJson(body)
  if (request === undefined) return refuse.unparseableBody()
  const list = kindOf(request) === 'object' ? membersOf(request, MEMBERS).get('emails') : undefined
  const emails = list && stringsOf(list)
  return emails ? { kind: 'emails', emails } : refuse.badEmails()
}

/** What an array of strings holds; undefined for anything else. */
function stringsOf(value: JsonValue): readonly string[] | undefined {
  if (kindOf(value) !== 'array') return undefined
  const items = itemsOf(value)
  const strings: string[] = []
  for (let i = 0; i < items.count; i++) {
    const item = { text: items.text, start: items.spans.start(i), end: items.spans.end(i) }
    if (kindOf(item) !== 'string') return undefined
    strings.push(stringOf(item))
  }
  return strings
}
