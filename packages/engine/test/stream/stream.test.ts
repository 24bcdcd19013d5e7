import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { judgeFuzzy } from '../../src/fuzzy/index.ts'
import {
  type Sifting,
  type StreamOptions,
  siftFuzzyRows,
  siftJson,
  siftLines,
  siftRows,
} from '../../src/stream/index.ts'
import { readCsv } from '../reference/exact.ts'
import { lookUp, readValue } from '../reference/json.ts'
import { referenceAnswer } from '../reference/request.ts'
import { type Answer, wholeLines, wholeRows } from '../reference/stream.ts'
import { jsonText, textOf } from '../support/arbitraries.ts'
import { deduplicateFiles } from './deduplicate.ts'

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

describe('a stream cut anywhere has the same result as the whole text', () => {
  test('lines, with every combination of options', () => {
    const text = textOf('a', 'A', 'Σ', 'σ', 'İ', 'Ⱥ', ' ', '\t', '\u00a0', '\u3000', '\ufeff', '\n', '\r', '\r\n', '\0')
    const flag = fc.boolean()
    const options = fc.record({ trim: flag, ignoreCase: flag, dropEmpty: flag, nullSeparated: flag })
    fc.assert(
      fc.property(text, options, cuts, fc.boolean(), (data, chosen, lengths, exact) => {
        const answer = deduplicateFiles([data], (stream) => siftLines(chosen, stream), { lengths, exact })
        expect(answer).toMatchObject(wholeLines(data, chosen))
        expectStable(answer, (stream) => siftLines(chosen, stream))
      }),
      { numRuns: runs(400) },
    )
  })

  test('rows, with every combination of options', () => {
    const text = textOf('a', 'A', 'Σ', 'Ⱥ', ' ', '"', '"', '""', ',', ',', ';', '\t', '\n', '\r', '\r\n', '\ufeff')
    const options = fc.record({
      keyColumns: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
      hasHeader: fc.boolean(),
      caseSensitive: fc.boolean(),
      delimiter: fc.constantFrom(0x2c, 0x3b, 0x09),
      keepEmpty: fc.boolean(),
    })
    fc.assert(
      fc.property(text, options, cuts, fc.boolean(), (data, chosen, lengths, exact) => {
        const answer = deduplicateFiles([data], (stream) => siftRows(chosen, stream), { lengths, exact })
        expect(answer).toMatchObject(wholeRows(data, chosen))
        expectStable(answer, (stream) => siftRows(chosen, stream))
      }),
      { numRuns: runs(400) },
    )
  })

  test('fuzzy rows: the right keys are compared, and the verdicts are applied', () => {
    const text = textOf('a', 'b', 'é', '"', '""', ',', '\n', '\r', '\r\n')
    const keyColumns = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 })
    fc.assert(
      fc.property(text, keyColumns, fc.boolean(), cuts, (data, columns, hasHeader, lengths) => {
        let judged: readonly string[] = []
        const judgeKeys = (keys: readonly string[]) => {
          judged = keys
          // Every second row is a duplicate of the one before.
          const survivorOf = Int32Array.from(keys, (_, i) => i - (i % 2))
          return { survivorOf, kept: Math.ceil(keys.length / 2), removed: Math.floor(keys.length / 2) }
        }
        const options = { keyColumns: columns, hasHeader, judgeKeys }
        const answer = deduplicateFiles([data], (stream) => siftFuzzyRows(options, stream), { lengths })
        const rows = readCsv(data).slice(hasHeader ? 1 : 0)
        const chosen = [...new Set(columns)].sort((a, b) => a - b)
        expect(judged).toEqual(
          rows.map((row) => (chosen.length ? chosen.filter((c) => c < row.length).map((c) => row[c]) : row).join(' ')),
        )
        expect(answer).toMatchObject({ kept: Math.ceil(rows.length / 2), removed: Math.floor(rows.length / 2) })
        expect(answer.dropped.map(({ position, survivor }) => position - survivor)).toEqual(
          Array(answer.removed).fill(1),
        )
      }),
      { numRuns: runs(200) },
    )
  })

  test('fuzzy rows whose chosen cells are empty are not compared if they are to be kept', () => {
    const judgeKeys = (keys: readonly string[]) => judgeFuzzy(keys, 1)
    const options = { keyColumns: [0], hasHeader: false, keepEmpty: true, judgeKeys }
    const answer = deduplicateFiles([',0\na,1\n,2\nb,3\n,4\na,5\n'], (stream) => siftFuzzyRows(options, stream))
    expect(answer).toMatchObject({ output: ',0\na,1\n,2\nb,3\n,4\n', kept: 5, removed: 1, emptyKeys: 3 })
    expect(answer.dropped).toMatchObject([{ position: 6, survivor: 2 }])
  })

  const space = fc.constantFrom('', ' ', '\n', '\r\n  ')
  const key = fc.constantFrom('', '', 'a', 'a.b', '0', 'b.1')

  test('an array of JSON items', () => {
    const array = fc.array(fc.tuple(space, jsonText, space), { maxLength: 6 })
    fc.assert(
      fc.property(array, space, key, cuts, fc.boolean(), (items, end, path, lengths, exact) => {
        const list = `[${items.map((parts) => parts.join('')).join(',')}${items.length === 0 ? end : ''}]`
        const data = end + list + end
        const reference = referenceAnswer(list, { mode: 'json', options: { key: path } })
        const make = (stream: StreamOptions) => siftJson({ key: path, isLines: false }, stream)
        const answer = deduplicateFiles([data], make, { lengths, exact })
        expect(answer).toMatchObject({ kept: reference.kept, removed: reference.removed })
        expect(
          readValue(answer.output)
            .members?.map(([, item]) => item.text)
            .join(),
        ).toBe(reference.result.slice(1, -1))
        if (reference.removed === 0) expect(answer.output).toBe(data)
      }),
      { numRuns: runs(400) },
    )
  })

  test('one JSON value per line', () => {
    const values = fc.array(jsonText, { maxLength: 6 })
    fc.assert(
      fc.property(values, fc.constantFrom('', '\n'), key, cuts, (items, end, path, lengths) => {
        const { survivorOf, ...counts } = referenceAnswer(`[${items.join(',')}]`, {
          mode: 'json',
          options: { key: path },
        })
        const data = items.length === 0 ? '' : items.join('\n') + end
        const answer = deduplicateFiles([data], (stream) => siftJson({ key: path, isLines: true }, stream), { lengths })
        const kept = items.filter((_, i) => survivorOf[i] === i)
        const output = kept.length === 0 ? '' : kept.join('\n') + end
        const withKey = items.filter((item) => lookUp(readValue(item), path) !== undefined).length
        expect(answer).toMatchObject({ output, kept: counts.kept, removed: counts.removed, withKey })
      }),
      { numRuns: runs(400) },
    )
  })
})

describe('the output of several files, read as one, has the same items', () => {
  const files = (...tokens: string[]) => fc.array(textOf(...tokens), { maxLength: 4 })

  test('lines', () => {
    const make = (stream: StreamOptions) => siftLines({ trim: false, ignoreCase: false, dropEmpty: false }, stream)
    fc.assert(
      fc.property(files('a', 'b', '\n', '\r', '\r\n'), cuts, (list, lengths) =>
        expectStable(deduplicateFiles(list, make, { lengths }), make),
      ),
      { numRuns: runs(400) },
    )
  })

  test('rows, also those with quotes that are not closed', () => {
    const options = fc.record({ keyColumns: fc.constant([]), hasHeader: fc.boolean(), caseSensitive: fc.boolean() })
    fc.assert(
      fc.property(files('a', '"', '"', ',', '\n', '\r', '\r\n'), options, cuts, (list, chosen, lengths) => {
        const make = (stream: StreamOptions) => siftRows(chosen, stream)
        expectStable(deduplicateFiles(list, make, { lengths }), make)
      }),
      { numRuns: runs(400) },
    )
  })

  test('JSON arrays, and files of white space', () => {
    const make = (stream: StreamOptions) => siftJson({ key: '', isLines: false }, stream)
    const file = fc.constantFrom('[1,2]', ' [2 , 3] ', '[]\n', '[ ]', '', ' \n', '\n')
    fc.assert(
      fc.property(fc.array(file, { maxLength: 4 }), cuts, (list, lengths) =>
        expectStable(deduplicateFiles(list, make, { lengths }), make),
      ),
      { numRuns: runs(200) },
    )
  })
})

describe('bytes that are not UTF-8 are compared as they are', () => {
  const rows = { keyColumns: [], hasHeader: false }
  const judgeKeys = (keys: readonly string[]) => judgeFuzzy(keys, 1)

  test.each<{ name: string; quote?: string; make: (stream: StreamOptions) => Sifting }>([
    {
      name: 'lines, ignoring case',
      make: (stream) => siftLines({ trim: true, ignoreCase: true, dropEmpty: false }, stream),
    },
    { name: 'rows, ignoring case', make: (stream) => siftRows({ ...rows, caseSensitive: false }, stream) },
    { name: 'fuzzy rows', make: (stream) => siftFuzzyRows({ ...rows, judgeKeys }, stream) },
    { name: 'JSON', quote: '"', make: (stream) => siftJson({ key: '', isLines: true }, stream) },
  ])('$name', ({ quote = '', make }) => {
    const part = fc.constantFrom(
      'a',
      'é',
      '\xff',
      '\xfe',
      '\x80',
      '\xc3',
      '\xe2\x82',
      '\xed\xb2\x80',
      '\xf4\x90\x80\x80',
    )
    const item = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => quote + parts.join('') + quote)
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 12 }), (items) => {
        const { dropped } = deduplicateFiles([Buffer.from(`${items.join('\n')}\n`, 'latin1')], make)
        const expected = items.map((one, at) => ({ position: at + 1, survivor: items.indexOf(one) + 1 }))
        expect(dropped.map(({ position, survivor }) => ({ position, survivor }))).toEqual(
          expected.filter(({ position, survivor }) => position !== survivor),
        )
      }),
      { numRuns: runs(300) },
    )
  })
})

/**
 * Expects that the output, read again, has the same items: none merged, none split. An empty last item without a line
 * break is not visible in the output.
 */
function expectStable(answer: Answer, make: (stream: StreamOptions) => Sifting): void {
  const isLastVisible = /[^\r\n\0\ufeff]$/.test(answer.output)
  const again = deduplicateFiles([answer.output], make)
  expect(again.output).toBe(answer.output)
  expect(again.removed).toBe(0)
  expect(answer.kept - again.kept).toBeLessThanOrEqual(isLastVisible ? 0 : 1)
}
