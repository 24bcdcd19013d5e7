import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { REPOSITORY } from '../support/server.ts'
import { describeOnEachStore } from '../support/stores.ts'

interface Case {
  readonly id: string
  readonly what: string
  readonly keyed?: boolean
  readonly body?: string
  readonly bodyBase64?: string
  readonly expect: { readonly status: number; readonly resultText?: string } & Readonly<Record<string, unknown>>
}

const CASES = ['dedupe.json', 'dedupe-kin.json'].flatMap((file): Case[] =>
  JSON.parse(readFileSync(join(REPOSITORY, 'tests/spec/cases', file), 'utf8')),
)

/** JSON text without the white space that stands outside of strings. */
function withoutSpace(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
}

/** The part of an answer that a case speaks of. */
function spokenOf(text: string, { expect: expected }: Case): Record<string, unknown> {
  const result = text.slice('{"result":'.length, text.lastIndexOf(',"kept":'))
  const all = { ...JSON.parse(text), resultText: withoutSpace(result) }
  return Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]]))
}

describeOnEachStore('2.1 to 2.3 over HTTP: every reported fault and its kin', (server) => {
  test('each case has its answer', async () => {
    const { token } = await server().key('cases@example.com')
    const wrong: string[] = []
    for (const [number, given] of CASES.entries()) {
      const body = given.bodyBase64 === undefined ? given.body : Buffer.from(given.bodyBase64, 'base64')
      // Keyless cases come from an address each, so that no daily budget ends before they do.
      const from = `127.0.${100 + (number >> 7)}.${1 + (number & 127)}`
      const answer = await server().call({ body, from, ...(given.keyed ? { token } : {}) })
      const spoken = { ...spokenOf(answer.text, given), status: answer.status }
      const expected = JSON.parse(JSON.stringify(given.expect).replaceAll('{base_url}', server().baseUrl))
      if (!isDeepStrictEqual(spoken, expected)) wrong.push(`${given.id}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('the cases themselves', () => {
  test('each has a name of its own', () => {
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length)
  })
})
