import { readFileSync } from 'node:fs'
import { isRefusal } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import { parse } from '../src/requests/steps/parse.ts'

interface Case {
  readonly id: string
  readonly what: string
  readonly body?: string
  readonly bodyBase64?: string
  readonly expect: { readonly status: number; readonly resultText?: string } & Readonly<Record<string, unknown>>
}

function casesOf(file: string): Case[] {
  return JSON.parse(readFileSync(new URL(`../../../tests/spec/cases/${file}`, import.meta.url), 'utf8'))
}

/** The answer to a case: its status, its members, and its result as it is written. */
function answerTo({ body, bodyBase64 }: Case): Record<string, unknown> {
  const parsed = parse(bodyBase64 === undefined ? new TextEncoder().encode(body) : Buffer.from(bodyBase64, 'base64'))
  if (isRefusal(parsed)) return { status: parsed.status, ...parsed.body }
  const text = new TextDecoder().decode(parsed.run(() => false).body)
  const resultText = text.slice('{"result":'.length, text.lastIndexOf(',"kept":'))
  return { status: 200, ...JSON.parse(text), resultText: withoutSpace(resultText) }
}

/** JSON text without the white space that stands outside of strings. */
function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

describe.each([
  { title: 'faults that others reported of their tools', file: 'dedupe.json' },
  { title: 'their kin', file: 'dedupe-kin.json' },
])('$title', ({ file }) => {
  test.each(casesOf(file))('$id: $what', (given) => {
    const answer = answerTo(given)
    expect(Object.fromEntries(Object.keys(given.expect).map((name) => [name, answer[name]]))).toEqual(given.expect)
  })
})
