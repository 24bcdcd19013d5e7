import { type RequestAnswer, runRequest, SEED_BYTES, type ShouldStop, Stopped } from '@keepfirst/engine/request'
import { isRefusal, MODE_SPECS, MODES, modeSpec, optionsOf, type Refusal, refuse } from '@keepfirst/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { isFuzzy, type ParsedRequest, parseRequest } from '../../src/compute/parse-request.ts'

const rows = MODE_SPECS.rows.options
const bytes = (text: string) => new TextEncoder().encode(text)

const parse = (body: Uint8Array) => parseRequest(Uint8Array.from(body))

const seed = new Uint8Array(SEED_BYTES)

function run({ data, question }: ParsedRequest, shouldStop: ShouldStop = () => false): RequestAnswer {
  return runRequest(data, question, { seed, shouldStop })
}

function parsed(request: unknown): ParsedRequest {
  const outcome = parse(bytes(JSON.stringify(request)))
  if (isRefusal(outcome)) throw new Error(outcome.body.error)
  return outcome
}

describe('4.1 the order of the 400s: each request here also has all faults that come later', () => {
  const options = { fuzzy: 1, threshold: 7, trim: 1, key: 1 }
  test.each<{ name: string; body: string; refusal: Refusal }>([
    { name: 'unparseable body', body: '{"mode":"x","data":1,"options":{"fuzzy":1}', refusal: refuse.unparseableBody() },
    { name: 'bad mode', body: JSON.stringify({ mode: 'x', data: 1, options }), refusal: refuse.badMode() },
    {
      name: 'data of lines',
      body: JSON.stringify({ mode: 'lines', data: 1, options }),
      refusal: refuse.wrongData('lines'),
    },
    {
      name: 'data of rows',
      body: JSON.stringify({ mode: 'rows', data: 1, options }),
      refusal: refuse.wrongData('rows'),
    },
    {
      name: 'data of json',
      body: JSON.stringify({ mode: 'json', data: 1, options }),
      refusal: refuse.wrongData('json'),
    },
    {
      name: 'fuzzy in lines',
      body: JSON.stringify({ mode: 'lines', data: '', options }),
      refusal: refuse.fuzzyOutsideRows(),
    },
    {
      name: 'fuzzy in json',
      body: JSON.stringify({ mode: 'json', data: [], options }),
      refusal: refuse.fuzzyOutsideRows(),
    },
    {
      name: 'threshold in rows',
      body: JSON.stringify({ mode: 'rows', data: '', options }),
      refusal: refuse.badOption('threshold', rows.threshold),
    },
    {
      name: 'options of a wrong type',
      body: JSON.stringify({ mode: 'rows', data: '', options: { fuzzy: 1 } }),
      refusal: refuse.badOption('fuzzy', rows.fuzzy),
    },
    {
      name: 'options that are not an object',
      body: JSON.stringify({ mode: 'rows', data: '', options: 7 }),
      refusal: refuse.badOptions(),
    },
  ])('$name', ({ body, refusal }) => expect(parse(bytes(body))).toEqual(refusal))
})

describe('2.2 the error for an option of a wrong type names it', () => {
  const options = MODES.flatMap((mode) => optionsOf(mode).map(([name, option]) => ({ mode, name, option })))

  test.each(options)('$mode: $name', ({ mode, name, option }) => {
    const data = modeSpec(mode).data.type === 'array' ? [] : ''
    for (const value of [-1, 7, {}, [null]]) {
      const outcome = parse(bytes(JSON.stringify({ mode, data, options: { [name]: value } })))
      expect(outcome).toEqual(refuse.badOption(name, option))
    }
  })
})

describe('8.1 billed rows', () => {
  test.each([
    {
      name: 'every line, even dropped ones',
      request: { mode: 'lines', data: 'a\n\n', options: { dropEmpty: true } },
      rows: 3,
    },
    { name: 'the empty text is one line', request: { mode: 'lines', data: '' }, rows: 1 },
    { name: 'data rows without the header', request: { mode: 'rows', data: 'h\na\nb\n' }, rows: 2 },
    {
      name: 'all rows without a header',
      request: { mode: 'rows', data: 'h\na\nb\n', options: { hasHeader: false } },
      rows: 3,
    },
    { name: 'a header alone is not a row', request: { mode: 'rows', data: 'h' }, rows: 0 },
    { name: 'rows, not line breaks in cells', request: { mode: 'rows', data: 'h\n"a\nb\nc"' }, rows: 1 },
    { name: 'items', request: { mode: 'json', data: [[1, 2, 3], {}, null] }, rows: 3 },
    { name: 'no items', request: { mode: 'json', data: [] }, rows: 0 },
  ])('$name', ({ request, rows }) => expect(parsed(request).rows).toBe(rows))
})

describe('what is known about a request before it runs', () => {
  test.each([
    { name: 'its mode', request: { mode: 'json', data: [] }, mode: 'json', fuzzy: false },
    {
      name: 'whether it is fuzzy',
      request: { mode: 'rows', data: 'h', options: { fuzzy: true } },
      mode: 'rows',
      fuzzy: true,
    },
    {
      name: 'a threshold alone does not make it fuzzy',
      request: { mode: 'rows', data: 'h', options: { threshold: 0.5 } },
      mode: 'rows',
      fuzzy: false,
    },
  ])('$name', ({ request, mode, fuzzy }) => {
    expect(parsed(request)).toMatchObject({ kind: 'parsed', question: { mode } })
    expect(isFuzzy(parsed(request))).toBe(fuzzy)
  })

  test('a parsed request can be transferred to another thread', () => {
    const one = parsed({ mode: 'rows', data: 'h\na\na', options: { keyColumns: [0] } })
    expect(structuredClone(one)).toEqual(one)
    expect(run(structuredClone(one, { transfer: [one.data.bytes.buffer] }))).toMatchObject({ kept: 1, removed: 1 })
  })
})

describe('2.3 the answer is one JSON object in UTF-8', () => {
  test.each([
    { name: 'lines', request: { mode: 'lines', data: 'é\né' }, body: '{"result":["é"],"kept":1,"removed":1}' },
    {
      name: 'rows',
      request: { mode: 'rows', data: 'h\né\né' },
      body: String.raw`{"result":"h\né","kept":1,"removed":1}`,
    },
    { name: 'json', request: { mode: 'json', data: ['é', 'é'] }, body: '{"result":["é"],"kept":1,"removed":1}' },
    {
      name: 'lone surrogates are escaped',
      request: { mode: 'lines', data: '\ud800' },
      body: String.raw`{"result":["\ud800"],"kept":1,"removed":0}`,
    },
  ])('$name', ({ request, body }) => {
    const ran = run(parsed(request))
    expect(new TextDecoder().decode(ran.body)).toBe(body)
    expect(body).toContain(`"kept":${ran.kept},"removed":${ran.removed}`)
  })

  test('fuzzy work that is stopped throws Stopped', () => {
    const request = { mode: 'rows', data: 'a\nb', options: { fuzzy: true } }
    expect(() => run(parsed(request), () => true)).toThrow(Stopped)
  })
})

test('a million key columns are accepted', () => {
  const keyColumns = Array.from({ length: 1_000_000 }, (_, column) => column % 7)
  expect(run(parsed({ mode: 'rows', data: 'h,i\na,b\na,b', options: { keyColumns } }))).toMatchObject({
    kept: 1,
    removed: 1,
  })
})

/** Checks the specification's three rules about the counts in an answer. */
function expectConsistent(outcome: ParsedRequest): void {
  const { mode } = outcome.question
  const ran = run(outcome)
  const answer = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(ran.body))
  expect(Object.keys(answer)).toEqual(['result', 'kept', 'removed'])
  expect([answer.kept, answer.removed]).toEqual([ran.kept, ran.removed])
  expect(ran.kept + ran.removed).toBeLessThanOrEqual(outcome.rows)
  if (mode !== 'rows') expect(answer.result.length).toBe(ran.kept)
  if (mode !== 'lines') expect(ran.kept + ran.removed).toBe(outcome.rows)
}

const flag = fc.constantFrom<unknown>(true, false, null, 0, 'true')
const options = fc.record(
  {
    trim: flag,
    ignoreCase: flag,
    dropEmpty: flag,
    hasHeader: flag,
    caseSensitive: flag,
    fuzzy: flag,
    threshold: fc.constantFrom<unknown>(0.5, 0.9, 1, null, 2, '1'),
    keyColumns: fc.constantFrom<unknown>([], [0], [1, 0], [-1], 'x'),
    key: fc.constantFrom<unknown>('', 'a', 'a.0', 1),
  },
  { requiredKeys: [] },
)
const request = fc.record({
  mode: fc.constantFrom<unknown>('lines', 'rows', 'json', 'Lines', null),
  data: fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a,b\n"c"\r\nd', 'x\ny\nx'),
    fc.array(fc.jsonValue(), { maxLength: 5 }),
  ),
  options: fc.oneof(
    { weight: 3, arbitrary: options },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], {}) },
  ),
})
const valid = request.map((given) => bytes(JSON.stringify(given)))
const mutated = fc.tuple(valid, fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 })).map(([body, at, cut, put]) => {
  const place = at % (body.length + 1)
  return Uint8Array.of(...body.subarray(0, place), ...put, ...body.subarray(place + cut))
})

test('random and mutated bodies give a consistent answer or a documented refusal, and never throw', () => {
  const messages = new Set(
    [
      refuse.unparseableBody(),
      refuse.badMode(),
      refuse.wrongData('lines'),
      refuse.wrongData('rows'),
      refuse.wrongData('json'),
      refuse.fuzzyOutsideRows(),
      refuse.badOptions(),
    ]
      .concat(MODES.flatMap((mode) => optionsOf(mode).map(([name, option]) => refuse.badOption(name, option))))
      .map((refusal) => refusal.body.error),
  )
  fc.assert(
    fc.property(fc.oneof(valid, mutated, fc.uint8Array({ maxLength: 60 })), (body) => {
      const outcome = parse(body)
      if (isRefusal(outcome)) {
        expect(outcome.status).toBe(400)
        expect(messages).toContain(outcome.body.error)
      } else expectConsistent(outcome)
    }),
    { numRuns: runs(10_000), seed: 20_261_128 },
  )
})
