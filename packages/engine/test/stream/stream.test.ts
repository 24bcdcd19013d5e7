import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzzyKeys, judgeItems, readItems, readRows, writeItems } from '../../src/index.ts'
import {
  type Sifting,
  type StreamOptions,
  siftFuzzyRows,
  siftJson,
  siftLines,
  siftRows,
} from '../../src/stream/index.ts'
import { type Answer, wholeLines, wholeRows } from '../reference/stream.ts'
import { siftFiles } from './sift.ts'

/** Text of a few characters, so that duplicates, line breaks, quotes and odd white space meet often. */
function textOf(...characters: string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { maxLength: 60 }).map((parts) => parts.join(''))
}

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

describe('a stream cut anywhere answers as the whole text does', () => {
  test('lines, with every combination of options', () => {
    const text = textOf('a', 'A', 'Σ', 'σ', 'İ', 'Ⱥ', ' ', '\t', '\u00a0', '\u3000', '\ufeff', '\n', '\r', '\r\n')
    const options = fc.record({ trim: fc.boolean(), ignoreCase: fc.boolean(), dropEmpty: fc.boolean() })
    fc.assert(
      fc.property(text, options, cuts, fc.boolean(), (data, chosen, lengths, exact) => {
        const answer = siftFiles([data], (stream) => siftLines(chosen, stream), { lengths, exact })
        expect(answer).toMatchObject(wholeLines(data, chosen))
        expectStable(answer, (stream) => siftLines(chosen, stream))
      }),
      { numRuns: 1_000 },
    )
  })

  test('rows, with every combination of options', () => {
    const text = textOf('a', 'A', 'Σ', 'Ⱥ', ' ', '"', '"', '""', ',', ',', '\n', '\r', '\r\n', '\ufeff')
    const options = fc.record({
      keyColumns: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
      hasHeader: fc.boolean(),
      caseSensitive: fc.boolean(),
    })
    fc.assert(
      fc.property(text, options, cuts, fc.boolean(), (data, chosen, lengths, exact) => {
        const answer = siftFiles([data], (stream) => siftRows(chosen, stream), { lengths, exact })
        expect(answer).toMatchObject(wholeRows(data, chosen))
        expectStable(answer, (stream) => siftRows(chosen, stream))
      }),
      { numRuns: 1_000 },
    )
  })

  test('fuzzy rows: the same keys are judged, and the verdicts are carried out', () => {
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
        const answer = siftFiles([data], (stream) => siftFuzzyRows(options, stream), { lengths })
        const rows = readRows(data, { hasHeader })
        expect(judged).toEqual(fuzzyKeys(rows, columns))
        expect(answer).toMatchObject({ kept: Math.ceil(rows.count / 2), removed: Math.floor(rows.count / 2) })
        expect(answer.dropped.map(({ position, survivor }) => position - survivor)).toEqual(
          Array(answer.removed).fill(1),
        )
      }),
      { numRuns: 500 },
    )
  })

  const value = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(
        '1',
        '1.0',
        '1e0',
        '-0',
        '0',
        '1e20',
        '"a"',
        '"\\u0061"',
        '"é"',
        '"\\u00e9"',
        '"\\ud800"',
        '"\\udfff"',
        'null',
        'true',
        '"]"',
        '"\\""',
      ),
      fc.array(tie('value'), { maxLength: 2 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(tie('value'), { maxLength: 2 })
        .map((items) => `{${items.map((item, i) => `"${'ab'[i]}" :${item}`).join(',')}}`),
    ),
  })).value
  const space = fc.constantFrom('', ' ', '\n', '\r\n  ')
  const key = fc.constantFrom('', 'a', 'a.b', '0', 'b.1')

  test('an array of JSON items', () => {
    const array = fc.array(fc.tuple(space, value, space), { maxLength: 6 })
    fc.assert(
      fc.property(array, space, key, cuts, fc.boolean(), (items, end, path, lengths, exact) => {
        const data = `${end}[${items.map((parts) => parts.join('')).join(',')}${items.length === 0 ? end : ''}]${end}`
        const whole = readItems(data)
        if (!whole) throw new Error(`no array: ${data}`)
        const verdicts = judgeItems(whole, { key: path })
        const answer = siftFiles([data], (stream) => siftJson({ key: path, isLines: false }, stream), {
          lengths,
          exact,
        })
        expect(answer).toMatchObject({ kept: verdicts.kept, removed: verdicts.removed })
        const written = readItems(answer.output)
        expect(written && writeItems(written, keepAll(written.count))).toBe(writeItems(whole, verdicts))
        if (verdicts.removed === 0) expect(answer.output).toBe(data)
      }),
      { numRuns: 1_000 },
    )
  })

  test('JSON values one a line', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 6 }),
        fc.constantFrom('', '\n'),
        key,
        cuts,
        (items, end, path, lengths) => {
          const whole = readItems(`[${items.join(',')}]`)
          if (!whole) throw new Error('no items')
          const verdicts = judgeItems(whole, { key: path })
          const data = items.length === 0 ? '' : items.join('\n') + end
          const answer = siftFiles([data], (stream) => siftJson({ key: path, isLines: true }, stream), { lengths })
          const kept = items.filter((_, i) => verdicts.survivorOf[i] === i)
          const output = kept.length === 0 ? '' : kept.join('\n') + end
          expect(answer).toMatchObject({ output, kept: verdicts.kept, removed: verdicts.removed })
        },
      ),
      { numRuns: 1_000 },
    )
  })
})

/** Read again, the output is what it was read as: nothing merged, nothing split. An empty last item without a break can't be seen. */
function expectStable(answer: Answer, make: (stream: StreamOptions) => Sifting): void {
  const isLastSeen = /[^\r\n\ufeff]$/.test(answer.output)
  const again = siftFiles([answer.output], make)
  expect(again.output).toBe(answer.output)
  expect(again.removed).toBe(0)
  expect(answer.kept - again.kept).toBeLessThanOrEqual(isLastSeen ? 0 : 1)
}

function keepAll(count: number) {
  return { survivorOf: Int32Array.from({ length: count }, (_, i) => i), kept: count, removed: 0 }
}
