import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { RELATED, REPORTED, specifiedMembersOf, withoutSpace } from '../support/cases.ts'
import { describeOnEachStore } from '../support/stores.ts'

const CASES = [...REPORTED, ...RELATED]

/** The members of an answer, including the source text of the result. */
function membersOf(text: string): Record<string, unknown> {
  const result = text.slice('{"result":'.length, text.lastIndexOf(',"kept":'))
  return { ...JSON.parse(text), resultText: withoutSpace(result) }
}

describeOnEachStore('2.1 to 2.3 over HTTP: reported bugs of other tools and related cases', (server) => {
  test('every case has the expected answer', async () => {
    const { token } = await server().key('cases@example.com')
    const wrong: string[] = []
    for (const [number, given] of CASES.entries()) {
      const body = given.bodyBase64 === undefined ? given.body : Buffer.from(given.bodyBase64, 'base64')
      // Each keyless case has its own address, so that no daily allowance is used up.
      const from = `127.0.${100 + (number >> 7)}.${1 + (number & 127)}`
      const answer = await server().call({ body, from, ...(given.keyed ? { token } : {}) })
      const actual = specifiedMembersOf({ ...membersOf(answer.text), status: answer.status }, given)
      const expected = JSON.parse(JSON.stringify(given.expect).replaceAll('{base_url}', server().baseUrl))
      if (!isDeepStrictEqual(actual, expected)) wrong.push(`${given.id}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('the cases', () => {
  test('have unique ids', () => {
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length)
  })
})
