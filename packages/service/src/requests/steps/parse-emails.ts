import { itemsOf, type JsonValue, kindOf, membersOf, stringOf } from '@keepfirst/engine'
import { type Refusal, refuse } from '@keepfirst/protocol'
import { readBodyJson } from './json.ts'

const MEMBERS: ReadonlySet<string> = new Set(['emails'])

/**
 * Step 3 of `POST /api/validate`: the addresses of its body as submitted, lone surrogates included. Every 400 is
 * found here. Nothing that the body nests is made into values, so no body takes more time than its length.
 */
export function parseEmails(body: ArrayBuffer | Uint8Array): readonly string[] | Refusal {
  const request = readBodyJson(body)
  if (request === undefined) return refuse.unparseableBody()
  const emails = kindOf(request) === 'object' ? membersOf(request, MEMBERS).get('emails') : undefined
  return (emails && stringsOf(emails)) ?? refuse.badEmails()
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
