import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import {
  DISCARDED,
  type JudgeOptions,
  judgeSource,
  NotJson,
  NotUtf8,
  type Question,
  Stopped,
} from '../../src/page/index.ts'
import { type StreamOptions, siftJson, siftLines, siftRows } from '../../src/stream/index.ts'
import { readCsv } from '../reference/exact.ts'
import { referenceSurvivors } from '../reference/fuzzy.ts'
import { readValue } from '../reference/json.ts'
import { referenceAnswer } from '../reference/request.ts'
import { deduplicateFiles } from '../stream/deduplicate.ts'
import { anyRequest, rowText } from '../support/arbitraries.ts'
import { seed } from '../support/seed.ts'

const SEED = seed()
const LINES: Question = { mode: 'lines', options: { trim: false, ignoreCase: false, dropEmpty: false } }
const JSON_ITEMS: Question = { mode: 'json', options: { key: '' } }
const rows = (options: Partial<Extract<Question, { mode: 'rows' }>['options']>): Question => {
  const all = { keyColumns: [], hasHeader: true, caseSensitive: true, fuzzy: false, threshold: 0.9 }
  return { mode: 'rows', options: { ...all, ...options } }
}

const judge = (source: Blob, question: Question, how: Partial<JudgeOptions> = {}) =>
  judgeSource(source, question, { seed: SEED, form: 'api', ...how })

async function textOf(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts).toString()
}

/** Without lone surrogates, which UTF-8 cannot encode. */
const wellFormed = anyRequest.filter(
  ({ question, data }) => question.mode === 'json' || !/\p{Surrogate}/u.test(String(JSON.parse(data))),
)
const sliceBytes = fc.constantFrom(1, 2, 3, 7, 1_000)

describe('a pasted list has the same result as from the API', () => {
  test('every mode and option, read in slices of any size', async () => {
    await fc.assert(
      fc.asyncProperty(wellFormed, sliceBytes, async ({ question, data }, slice) => {
        const reference = referenceAnswer(data, question)
        const text = question.mode === 'json' ? data : String(JSON.parse(data))
        const judged = await judge(new Blob([text]), question, { sliceBytes: slice })
        expect(judged).toMatchObject({ kept: reference.kept, removed: reference.removed, count: reference.rows })
        expect([...judged.survivorOf]).toEqual(reference.survivorOf)
        const result: unknown = question.mode === 'json' ? reference.result : JSON.parse(reference.result)
        expect(await textOf(judged.result())).toBe(Array.isArray(result) ? result.join('\n') : result)
      }),
      { numRuns: runs(500) },
    )
  })

  test('fuzzy rows, and the similarity of each pair', async () => {
    await fc.assert(
      fc.asyncProperty(rowText, fc.constantFrom(0.5, 0.8, 1), async (written, threshold) => {
        const text = written.replaceAll(/\p{Surrogate}/gu, '?')
        const keys = readCsv(text).map((cells) => cells.join(' '))
        const judged = await judge(new Blob([text]), rows({ hasHeader: false, fuzzy: true, threshold }))
        expect([...judged.survivorOf]).toEqual(referenceSurvivors(keys, threshold))
        judged.survivorOf.forEach((_, row) => {
          expect(judged.similarity(row)).toBeGreaterThanOrEqual(threshold)
        })
      }),
      { numRuns: runs(200) },
    )
  })

  test.each([
    { threshold: 0.9, survivorOf: [0, 1, 1, 0], similarities: [1, 1, 1, 0.9] },
    { threshold: 0.91, survivorOf: [0, 1, 1, 3], similarities: [1, 1, 1, 1] },
  ])('fuzzy rows at $threshold', async ({ threshold, survivorOf, similarities }) => {
    const text = 'abcdefghij\nAnn Lee\nlee ann\nabcdefghix'
    const judged = await judge(new Blob([text]), rows({ hasHeader: false, fuzzy: true, threshold }))
    expect([...judged.survivorOf]).toEqual(survivorOf)
    expect(similarities.map((_, row) => judged.similarity(row))).toEqual(similarities)
  })

  test('rows whose quotes fill the window, and are doubled', async () => {
    const quotes = Array.from({ length: 30 }, (_, row) => '"'.repeat(8_000 + row))
    const judged = await judge(new Blob([quotes.map((some) => `a${some}`).join('\n')]), rows({ hasHeader: false }))
    expect((await textOf(judged.result())) === quotes.map((some) => `"a${some}${some}"`).join('\n')).toBe(true)
  })
})

describe('an opened file has the same result as from the command line', () => {
  const make = ({ mode, options }: Question, delimiter?: number) => {
    const cut = delimiter === undefined ? {} : { delimiter }
    if (mode === 'lines') return (stream: StreamOptions) => siftLines(options, stream)
    if (mode === 'rows') return (stream: StreamOptions) => siftRows({ ...options, ...cut }, stream)
    return (stream: StreamOptions) => siftJson({ ...options, isLines: false }, stream)
  }

  test('the saved result equals the output of the command line', async () => {
    const cuts = fc.constantFrom(undefined, 0x3b)
    await fc.assert(
      fc.asyncProperty(wellFormed, sliceBytes, cuts, async ({ question, data }, slice, delimiter) => {
        const text = question.mode === 'json' ? data : String(JSON.parse(data))
        const answer = deduplicateFiles([text], make(question, delimiter))
        const how = { form: 'file', sliceBytes: slice, ...(delimiter === undefined ? {} : { delimiter }) } as const
        const judged = await judge(new Blob([text]), question, how)
        const { kept, removed, withKey, emptyKeys } = judged
        expect({ kept, removed, withKey, emptyKeys }).toMatchObject({
          kept: answer.kept,
          removed: answer.removed,
          withKey: answer.withKey,
          emptyKeys: answer.emptyKeys,
        })
        expect(await textOf(judged.result())).toBe(answer.output)
      }),
      { numRuns: runs(300) },
    )
  })

  test('bytes that are not UTF-8 are compared unchanged', async () => {
    const file = new Blob([Uint8Array.of(0xff, 0x0a, 0xfe, 0x0a, 0xff, 0x0a)])
    const judged = await judge(file, LINES, { form: 'file' })
    expect([...judged.survivorOf]).toEqual([0, 1, 0])
    expect(await judged.raw([2, 1])).toEqual([Uint8Array.of(0xff), Uint8Array.of(0xfe)])
  })
})

describe('entries are shown as they are in the source', () => {
  test.each([
    {
      name: 'lines, trimmed',
      question: { ...LINES, options: { ...LINES.options, trim: true } } as Question,
      text: ' a \nb\n a',
      shown: [['a'], ['b'], ['a']],
    },
    { name: 'lines as they are', question: LINES, text: ' a,b\n"c"', shown: [[' a,b'], ['"c"']] },
    {
      name: 'rows as their cells',
      question: rows({}),
      text: '\ufeffh,i\n"a ""b""",c\n"x\ny"',
      shown: [['a "b"', 'c'], ['x\ny']],
    },
    { name: 'items', question: JSON_ITEMS, text: '[ 1.0 ,\n {"a": [2, 3]}]', shown: [['1.0'], ['{"a": [2, 3]}']] },
    { name: 'one value per line', question: JSON_ITEMS, text: '{"a":1}\n[2]\n', shown: [['{"a":1}'], ['[2]']] },
  ])('$name', async ({ question, text, shown }) => {
    for (const form of ['api', 'file'] as const) {
      const judged = await judge(new Blob([text]), question, { form })
      const order = shown.map((_, entry) => shown.length - 1 - entry)
      expect(await judged.show(order)).toEqual(shown.toReversed())
    }
  })

  test('entries far apart, in any order', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} ${'x'.repeat(n % 50)}`)
    const judged = await judge(new Blob([lines.join('\n')]), LINES)
    const entries = [19_999, 0, 10_000, 1, 10_001, 0]
    expect(await judged.show(entries)).toEqual(entries.map((n) => [lines[n]]))
  })

  test('neighbours are read together, and what is far from them is not read', async () => {
    const lines = ['a', 'b', 'x'.repeat(65_534), 'c', 'x'.repeat(65_535), 'd', 'e']
    const blob = new Blob([lines.join('\n')])
    const read: number[] = []
    const source = {
      size: blob.size,
      slice(start: number, end: number): Blob {
        read.push(end - start)
        return blob.slice(start, end)
      },
    }
    const judged = await judgeSource(source, LINES, { seed: SEED, form: 'api' })
    read.length = 0
    expect(await judged.show([6, 5, 0, 1, 3])).toEqual([['e'], ['d'], ['a'], ['b'], ['c']])
    expect(read).toEqual([3 + 65_536 + 1, 3])
  })

  test('the header and the number of columns', async () => {
    const text = '"a;b";c\n1;2;3\n'
    const withHeader = await judge(new Blob([text]), rows({}), { delimiter: 0x3b })
    expect(withHeader).toMatchObject({ header: ['a;b', 'c'], columnCount: 2, count: 1 })
    expect(Buffer.from(withHeader.rawHeader ?? []).toString()).toBe('"a;b";c')
    const without = await judge(new Blob([text]), rows({ hasHeader: false }), { delimiter: 0x3b })
    expect(without).toMatchObject({ header: [], rawHeader: undefined, columnCount: 2, count: 2 })
    expect(await textOf(without.result())).toBe('a;b,c\n1,2,3')
    expect(await judge(new Blob([]), rows({ hasHeader: false }))).toMatchObject({ columnCount: 0, count: 0 })
    expect(await judge(new Blob(['a,b']), LINES)).toMatchObject({ columnCount: 0, count: 1 })
  })

  test('an entry that the user restored is in the result', async () => {
    const judged = await judge(new Blob(['a\nb\na']), LINES)
    judged.survivorOf[2] = 2
    expect(await textOf(judged.result())).toBe('a\nb\na')
  })

  test('discarded entries count as neither kept nor removed', async () => {
    const judged = await judge(new Blob(['\na\n']), { mode: 'lines', options: { ...LINES.options, dropEmpty: true } })
    expect([...judged.survivorOf]).toEqual([DISCARDED, 1, DISCARDED])
    expect(judged).toMatchObject({ count: 3, kept: 1, removed: 0 })
    expect(judged.similarity(0)).toBe(1)
  })
})

describe('input that cannot be processed', () => {
  test.each([1, 3, 1_000])('bytes that are not UTF-8, in slices of %i', async (slice) => {
    for (const [bytes, at] of [
      [[0x61, 0xff, 0x61], 1],
      [[0xe2, 0x82, 0xac, 0xe2, 0x82], 3],
      [[0xc3, 0x28], 0],
      [[0x61, 0x61, 0xed, 0xa0, 0x80], 2],
      [[0xf0, 0x9f, 0x98, 0x80, 0x80], 4],
    ] as const) {
      const attempt = judge(new Blob([Uint8Array.from(bytes)]), LINES, { sliceBytes: slice })
      await expect(attempt).rejects.toMatchObject({ name: 'NotUtf8', at })
      await expect(attempt).rejects.toBeInstanceOf(NotUtf8)
    }
  })

  test('invalid JSON is rejected with line and column; white space is not invalid', async () => {
    await expect(judge(new Blob(['[1,\n2,]']), JSON_ITEMS)).rejects.toMatchObject({ line: 2, column: 3 })
    await expect(judge(new Blob(['x']), JSON_ITEMS)).rejects.toBeInstanceOf(NotJson)
    expect(await judge(new Blob([' ']), JSON_ITEMS)).toMatchObject({ count: 0, jsonLines: true })
    expect(await judge(new Blob(['[]']), JSON_ITEMS)).toMatchObject({ count: 0, jsonLines: false })
  })

  test('work that is stopped rejects before the next slice', async () => {
    const read: number[] = []
    const onProgress = (bytes: number) => read.push(bytes)
    const how = { sliceBytes: 2, onProgress, shouldStop: () => read.length === 2 }
    await expect(judge(new Blob(['a\nb\nc']), LINES, how)).rejects.toBeInstanceOf(Stopped)
    expect(read).toEqual([2, 4])
  })
})

test('JSON in any layout becomes an array in the API’s form', async () => {
  const judged = await judge(new Blob(['1\n {"a":2} \n1.0\n']), JSON_ITEMS)
  expect(await textOf(judged.result())).toBe('[1,{"a":2}]')
  expect(readValue(await textOf(judged.result())).members).toHaveLength(2)
})
