import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { billedRows, type Question, readRequest, readStrings, runRequest } from '../../src/request/index.ts'
import { readCsv, writeCsv } from '../reference/exact.ts'
import { referenceSurvivors } from '../reference/fuzzy.ts'
import { referenceAnswer } from '../reference/request.ts'
import { anyRequest, rowText, spelledIn } from '../support/arbitraries.ts'
import { seed } from '../support/seed.ts'

const SEED = seed()
/** Gives every key the hash 0. */
const ZERO_SEED = new Uint8Array(SEED.length)

const bytesOf = (text: string) => new TextEncoder().encode(text)
const parsed = (body: string) => readRequest(bytesOf(body))

/** Runs a request; returns the text of the answer and the billed rows. */
function run(body: string, question: Question, withSeed = SEED): { answer: string; rows: number } {
  const { data } = parsed(body) ?? {}
  if (data === undefined) throw new Error(`rejected: ${body}`)
  const rows = billedRows(data, question)
  // As when it is transferred to another thread.
  const moved = structuredClone(data, { transfer: [data.bytes.buffer] })
  return { answer: new TextDecoder().decode(runRequest(moved, question, { seed: withSeed }).body), rows }
}

describe('a request has the same answer as with the reference implementation', () => {
  test.each([
    { name: 'with hashes', withSeed: SEED },
    { name: 'when all hashes are equal', withSeed: ZERO_SEED },
  ])('$name', ({ withSeed }) => {
    fc.assert(
      fc.property(anyRequest, ({ question, data }) => {
        const reference = referenceAnswer(data, question)
        const { answer, rows } = run(`{"mode":"${question.mode}","data":${data}}`, question, withSeed)
        const { result, kept, removed } = reference
        expect(answer).toBe(`{"result":${result},"kept":${kept},"removed":${removed}}`)
        expect(rows).toBe(reference.rows)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('fuzzy rows', () => {
    const columns = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
    const threshold = fc.constantFrom(0.5, 0.8, 0.9, 1)
    fc.assert(
      fc.property(spelledIn(rowText), columns, fc.boolean(), threshold, (data, keyColumns, hasHeader, threshold) => {
        const options = { keyColumns, hasHeader, caseSensitive: true, fuzzy: true, threshold }
        const all = readCsv(String(JSON.parse(data)))
        const header = hasHeader ? all.slice(0, 1) : []
        const rows = all.slice(header.length)
        const chosen = [...new Set(keyColumns)].sort((a, b) => a - b)
        const keys = rows.map((row) => (chosen.length ? chosen.map((column) => row[column] ?? '') : row).join(' '))
        const survivors = referenceSurvivors(keys, threshold)
        const kept = rows.filter((_, row) => survivors[row] === row)
        const result = JSON.stringify(writeCsv([...header, ...kept]))
        const { answer } = run(`{"mode":"rows","data":${data}}`, { mode: 'rows', options })
        expect(answer).toBe(`{"result":${result},"kept":${kept.length},"removed":${rows.length - kept.length}}`)
      }),
      { numRuns: runs(500) },
    )
  })
})

test('fuzzy rows that differ only in lone surrogates are different', () => {
  const options = { keyColumns: [], hasHeader: false, caseSensitive: true, fuzzy: true, threshold: 1 }
  const body = String.raw`{"mode":"rows","data":"a\ud800\na\udfff\na\ud800\n힣\n\ufffd"}`
  expect(run(body, { mode: 'rows', options }).answer).toBe(
    String.raw`{"result":"a\ud800\na\udfff\n힣\n${'\ufffd'}","kept":4,"removed":1}`,
  )
})

describe('parsing of a body', () => {
  const lines = { mode: 'lines', options: { trim: false, ignoreCase: false, dropEmpty: false } } as const
  test.each([
    { body: '{"mode":"lines","data":"a"}', mode: 'lines', options: undefined, count: 1 },
    {
      body: ' {"data":"a\\nb\\n","options":{"trim":true},"mode":"lines"} ',
      mode: 'lines',
      options: '{"trim":true}',
      count: 3,
    },
    { body: '\ufeff{"mode":"json","data":[1,[2,3]]}', mode: 'json', options: undefined, count: 2 },
    { body: '{"mode":"rows","data":"","options":null}', mode: 'rows', options: 'null', count: 0 },
    { body: '{"mode":"rows","data":"\\ufeffa,b\\n1,2\\n"}', mode: 'rows', options: undefined, count: 2 },
    { body: '{"mode":"lines","data":""}', mode: 'lines', options: undefined, count: 1 },
    // A repeated member: the last one counts, whatever the others were.
    { body: '{"mode":"json","mode":"lines","data":[1],"data":"x"}', mode: 'lines', options: undefined, count: 1 },
    { body: '{"mode":"lines","data":"x","data":[1]}', mode: 'lines', options: undefined, count: undefined },
    { body: '{"m\\u006fde":"l\\u0069nes","\\u0064ata":"x"}', mode: 'lines', options: undefined, count: 1 },
    { body: '{"mode":"lines","data":1}', mode: 'lines', options: undefined, count: undefined },
    { body: '{"mode":"json","data":"[1]"}', mode: 'json', options: undefined, count: undefined },
    { body: '{"mode":"json","data":{"0":1}}', mode: 'json', options: undefined, count: undefined },
    { body: '{"mode":"Lines","data":"a"}', mode: undefined, options: undefined, count: undefined },
    { body: '{"mode":["lines"],"data":"a"}', mode: undefined, options: undefined, count: undefined },
    { body: '{}', mode: undefined, options: undefined, count: undefined },
    { body: '["mode"]', mode: undefined, options: undefined, count: undefined },
    { body: 'null', mode: undefined, options: undefined, count: undefined },
  ])('$body', ({ body, mode, options, count }) => {
    const read = parsed(body)
    expect([read?.mode, read?.optionsText]).toEqual([mode, options])
    expect(read?.data?.count).toBe(count)
  })

  test('an option named like a member of Object.prototype is kept', () => {
    expect(parsed('{"options": {"__proto__":1} }')?.optionsText).toBe('{"__proto__":1}')
  })

  test('nesting as deep as a body allows', () => {
    const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
    const body = `{"mode":"json","data":[${deep},${deep},1],"other":${'{"a":'.repeat(100_000)}0${'}'.repeat(100_000)}}`
    const question = { mode: 'json', options: { key: '' } } as const
    expect(run(body, question).answer).toBe(`{"result":[${deep},1],"kept":2,"removed":1}`)
    expect(parsed(`[${deep}`)).toBeUndefined()
  })

  test('after an error, the next request works', () => {
    const good = () => run('{"mode":"lines","data":"a\\nb\\na"}', lines).answer
    const faults = [
      '',
      '{',
      '{"data":"\\ud800',
      '{"data":"a\\x"}',
      '{"mode":"lines","data":"a"',
      '[1,',
      '"',
      'nul',
      '{"a":1,}',
    ]
    for (const fault of faults) {
      expect(parsed(fault)).toBeUndefined()
      expect(good()).toBe('{"result":["a","b"],"kept":2,"removed":1}')
    }
    expect(readRequest(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined()
    const one = { count: 1, bytes: new Uint8Array(1), ends: undefined }
    expect(() => runRequest(one, lines, { seed: new Uint8Array(1) })).toThrow(RangeError)
    const fuzzy = { keyColumns: [], hasHeader: false, caseSensitive: true, fuzzy: true, threshold: 0.9 }
    const stopped = { mode: 'rows', options: fuzzy } as const
    const data = parsed('{"mode":"rows","data":"a\\nb"}')?.data
    expect(() => data && runRequest(data, stopped, { seed: SEED, shouldStop: () => true })).toThrow('')
    expect(good()).toBe('{"result":["a","b"],"kept":2,"removed":1}')
  })
})

describe('parsing of email addresses in a body', () => {
  test.each([
    { body: '{"emails":["a","b\\ud800"]}', read: ['a', 'b\ud800'] },
    { body: '{"emails":[]}', read: [] },
    { body: '{"emails":["a",1]}', read: 'other' },
    { body: '{"emails":"a"}', read: 'other' },
    { body: '{"emails":["a"],"emails":[[]]}', read: 'other' },
    { body: '[]', read: 'other' },
    { body: '{"emails":["a"]', read: 'unparseable' },
  ])('$body', ({ body, read }) => {
    const strings = readStrings(bytesOf(body), 'emails')
    expect(strings.kind === 'strings' ? strings.strings() : strings.kind).toEqual(read)
    if (strings.kind === 'strings') expect(strings.count).toBe(read.length)
  })
})
