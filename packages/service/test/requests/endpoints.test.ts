import { FUZZY_ROWS, PLANS, refuse, unitsOf, unitsOfAddresses } from '@keepfirst/protocol'
import { describe, expect, test } from 'vitest'
import type { Compute, Requester } from '../../src/compute/compute.ts'
import { parseEmails } from '../../src/compute/parse-emails.ts'
import { parseRequest } from '../../src/compute/parse-request.ts'
import { runInline } from '../../src/compute/tasks.ts'
import { keyed, keyless, tenantOf } from '../../src/requests/caller.ts'
import { dedupe } from '../../src/requests/dedupe.ts'
import { validate } from '../../src/requests/validate.ts'

/* What the two endpoints add to the pipeline, each by itself. */

const BASE_URL = 'https://dedupe.example'
const KEYED = keyed({ keyId: 'key', accountId: 'account', plan: 'pro' })
const KEYLESS = keyless('hash')
const requester: Requester = {
  tenant: tenantOf(KEYED),
  client: { aborted: false, signal: new AbortController().signal },
  arrivedAt: 0,
}

const COMPUTE: Compute = {
  parse: async (body) => parseRequest(body),
  run: async (request) => runInline(request),
  parseEmails: async (body) => parseEmails(body),
}

const bytesOf = (body: object) => new TextEncoder().encode(JSON.stringify(body))

describe('dedupe', () => {
  const parse = (body: object, parts: Partial<Compute> = {}) =>
    dedupe({ ...COMPUTE, ...parts }, { baseUrl: BASE_URL }).parse(bytesOf(body), requester)

  test.each([
    { body: { mode: 'lines', data: 'a\nb\na' }, mode: 'lines', rows: 3 },
    { body: { mode: 'rows', data: 'h\n1\n1' }, mode: 'rows', rows: 2 },
    { body: { mode: 'json', data: [1, 1.5] }, mode: 'json', rows: 2 },
  ])('$body costs its rows, and holds the bytes that are kept of it', async ({ body, mode, rows }) => {
    const bodyBytes = bytesOf(body).length
    const parsed = await parse(body)
    if (parsed === 'stopping' || parsed.kind === 'refusal') throw new Error('not parsed')
    const { bytes, ends } = parsed.request.data
    expect(parsed).toMatchObject({ mode, rows, units: unitsOf(rows, bodyBytes) })
    expect(parsed.heldBytes).toBe(bytes.buffer.byteLength + (ends?.byteLength ?? 0))
  })

  test('a body is refused as the parser says, and while the server stops', async () => {
    expect(await parse({ mode: 'lines' })).toEqual(refuse.wrongData('lines'))
    expect(await parse({}, { parse: async () => 'stopping' })).toBe('stopping')
  })

  const fuzzy = { mode: 'rows', data: 'a\nb', options: { fuzzy: true } }
  test.each([
    { name: 'exact work needs no key', body: { ...fuzzy, options: {} }, rows: FUZZY_ROWS + 1, caller: KEYLESS },
    { name: 'fuzzy work needs one', body: fuzzy, rows: 1, caller: KEYLESS, refusal: refuse.fuzzyNeedsKey(BASE_URL) },
    { name: 'the most rows of fuzzy work', body: fuzzy, rows: FUZZY_ROWS, caller: KEYED },
    {
      name: 'more rows',
      body: fuzzy,
      rows: FUZZY_ROWS + 1,
      caller: KEYED,
      refusal: refuse.tooManyFuzzyRows(FUZZY_ROWS + 1),
    },
  ])('$name', async ({ body, rows, caller, refusal }) => {
    const parsed = await parse(body)
    if (parsed === 'stopping' || parsed.kind === 'refusal') throw new Error('not parsed')
    const { authorizeRequest, authorizeCaller, path, mode } = dedupe(COMPUTE, { baseUrl: BASE_URL })
    expect({ path, mode }).toEqual({ path: '/api/dedupe', mode: null })
    expect(authorizeCaller(caller)).toBeUndefined()
    expect(authorizeRequest({ ...parsed, rows }, caller)).toEqual(refusal)
  })
})

describe('validate', () => {
  const endpoint = (parts: Partial<Compute> = {}) => {
    const mx = { open: () => ({ ask() {}, answers: async () => new Map() }) }
    return validate({
      baseUrl: BASE_URL,
      compute: { ...COMPUTE, ...parts },
      sources: { isDisposable: () => false, mx },
      dnsMs: 1_000,
    })
  }

  test('needs a key', () => {
    const { authorizeCaller, path, mode } = endpoint()
    expect({ path, mode }).toEqual({ path: '/api/validate', mode: 'validate' })
    expect(authorizeCaller(KEYLESS)).toEqual(refuse.keyRequired(BASE_URL))
    expect(authorizeCaller(KEYED)).toBeUndefined()
  })

  test('every address costs the same, also a repeated one', async () => {
    expect(await endpoint().parse(bytesOf({ emails: ['a@b.example', 'a@b.example', ''] }), requester)).toMatchObject({
      kind: 'parsed',
      mode: 'validate',
      rows: 3,
      units: unitsOfAddresses(3),
    })
  })

  test('a body is refused as the parser says, and while the server stops', async () => {
    expect(await endpoint().parse(bytesOf({}), requester)).toEqual(refuse.badEmails())
    const stopping = endpoint({ parseEmails: async () => 'stopping' })
    expect(await stopping.parse(bytesOf({}), requester)).toBe('stopping')
  })
})

test('callers take turns by account, or by address', () => {
  expect(tenantOf(KEYED)).toBe('account account')
  expect(tenantOf(KEYLESS)).toBe('address hash')
  expect(KEYED.plan).toBe(PLANS.pro)
})
