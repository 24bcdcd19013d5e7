import { ApiError, Keepfirst } from '@keepfirst/client'
import { refuse } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readValue, type Value } from '../packages/engine/test/reference/json.ts'
import { RELATED, REPORTED, specifiedMembersOf, withoutSpace } from './support/cases.ts'
import { type RunningServer, startServer } from './support/server.ts'

let server: RunningServer
let client: Keepfirst
let keyless: Keepfirst
beforeAll(async () => {
  server = await startServer({ env: { DNS_SERVERS: '127.0.0.1:9' } })
  client = new Keepfirst({ baseUrl: server.baseUrl, apiKey: (await server.key('client@example.com')).token })
  keyless = new Keepfirst({ baseUrl: server.baseUrl })
})
afterAll(() => server.stop())

describe('each method with a real service', () => {
  test('lines', async () => {
    const answer = await keyless.lines('Ada\nGrace\n ada', { trim: true, ignoreCase: true })
    expect(answer).toEqual({ result: ['Ada', 'Grace'], kept: 2, removed: 1 })
  })

  test('lines as an array of strings', async () => {
    expect(await keyless.lines(['b', '', 'b', ''])).toEqual({ result: ['b', ''], kept: 2, removed: 2 })
    expect(await keyless.lines([''])).toEqual({ result: [''], kept: 1, removed: 0 })
    expect(await keyless.lines([])).toEqual({ result: [], kept: 0, removed: 0 })
  })

  test.each<{ name: string; rows: string[][]; hasHeader?: boolean }>([
    { name: 'cells that CSV must quote', rows: [['a,b', 'c"d', 'e\nf', 'g\rh', '"', '""']] },
    { name: 'rows of different lengths', rows: [['a'], ['b', ''], ['c', '', '']] },
    { name: 'rows of one empty cell, first and last', rows: [[''], ['x'], ['']], hasHeader: false },
    { name: 'a single empty cell', rows: [['']], hasHeader: false },
    { name: 'a byte-order mark', rows: [['\ufeffa', '\ufeff'], ['\ufeff']] },
    { name: 'surrounding white space and other scripts', rows: [[' a ', '\tb', 'é 😀', '\u2028']] },
    { name: 'a header alone', rows: [['id', 'name']] },
    { name: 'no rows', rows: [] },
  ])('rows as arrays: $name', async ({ rows, hasHeader = true }) => {
    const { result } = await keyless.rows(rows, { hasHeader })
    const once = rows.filter((row, at) => rows.findIndex((other) => String(other) === String(row)) === at)
    expect(result).toEqual(once)
  })

  test('fuzzy rows', async () => {
    const answer = await client.rows('name\nJohn Smith\nSmith, John\nJane Smith', { fuzzy: true })
    expect(answer).toEqual({ result: 'name\nJohn Smith\nJane Smith', kept: 2, removed: 1 })
  })

  test('json', async () => {
    const people = [{ id: 1 }, { id: 2 }, { id: 1 }]
    expect(await keyless.json(people, { key: 'id' })).toEqual({ result: [{ id: 1 }, { id: 2 }], kept: 2, removed: 1 })
  })

  test('jsonText keeps what JavaScript numbers lose', async () => {
    const answer = await keyless.jsonText('[9007199254740993, 9007199254740992, 9007199254740993, 1e400]')
    expect(answer).toEqual({ result: '[9007199254740993,9007199254740992,1e400]', kept: 3, removed: 1 })
  })

  test('validate', async () => {
    const { results, summary } = await client.validate(['no address', 'someone@mailinator.com'])
    expect(results.map(({ reason }) => reason)).toEqual(['syntax', 'disposable'])
    expect(summary).toEqual({ total: 2, valid: 0, invalid: 2, disposable: 1, role: 0 })
  })

  test('a refusal', async () => {
    const failure = await keyless.rows('a', { fuzzy: true }).catch((reason: unknown) => reason)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ name: 'ForbiddenError', status: 403, ...refuse.fuzzyNeedsKey(server.baseUrl).body })
  })

  test('the key is not in the log', async () => {
    const { token } = await server.key('secret@example.com')
    await new Keepfirst({ baseUrl: server.baseUrl, apiKey: token }).lines('a')
    expect(await server.log()).not.toContain(token)
  })
})

/**
 * Whether the client can send this request: no method sends some bodies, and JavaScript cannot represent some numbers.
 */
function isExpressible(body: string): boolean {
  if (!isJson(body)) return false
  const members = membersOf(body)
  if (!members.has('data')) return false
  const { mode, data, options } = JSON.parse(body)
  const given = members.get('options')
  if (given && (typeof options !== 'object' || options === null || Array.isArray(options))) return false
  if (given && given.meaning !== readValue(JSON.stringify(options)).meaning) return false
  return mode === 'json' ? Array.isArray(data) : ['lines', 'rows'].includes(mode) && typeof data === 'string'
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The members of an object with their source text; none for any other value. */
function membersOf(json: string): ReadonlyMap<string, Value> {
  return new Map(json.trimStart().startsWith('{') ? readValue(json).members : [])
}

/** The members of the client's answer to a case, including the source text of the result. */
async function answerTo(body: string): Promise<Record<string, unknown>> {
  const { mode, data, options } = JSON.parse(body)
  try {
    if (mode !== 'json') {
      const answer = await (mode === 'lines' ? client.lines(data, options) : client.rows(data, options))
      return { status: 200, ...answer, resultText: JSON.stringify(answer.result) }
    }
    const items = membersOf(body).get('data')
    const { result, ...counts } = await client.jsonText(items?.text ?? '', options)
    return { status: 200, ...counts, result: JSON.parse(result), resultText: withoutSpace(result) }
  } catch (failure) {
    if (failure instanceof ApiError) return { ...failure }
    throw failure
  }
}

describe.each([
  { title: 'bugs reported in other tools', all: REPORTED, atLeast: 75 },
  { title: 'related cases', all: RELATED, atLeast: 1 },
])('$title, through the client', ({ all, atLeast }) => {
  const cases = all.flatMap((given) =>
    given.body !== undefined && isExpressible(given.body) ? [{ ...given, body: given.body }] : [],
  )

  test('most cases can be sent by the client', () => expect(cases.length).toBeGreaterThanOrEqual(atLeast))

  test.each(cases)('$id: $what', async (given) => {
    expect(specifiedMembersOf(await answerTo(given.body), given)).toEqual(given.expect)
  })
})
