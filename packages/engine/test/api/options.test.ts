import { describe, expect, test } from 'vitest'
import { isValueOf, MODES, type Mode, optionsOf, refuse } from '../../../protocol/src/index.ts'
import { judgeFuzzy } from '../../src/fuzzy/index.ts'
import { dedupeJson, dedupeLines, dedupeRows, jsonStream, linesStream, rowsStream } from '../../src/index.ts'
import { judgeSource } from '../../src/page/index.ts'
import { siftRows } from '../../src/stream/index.ts'
import { seed } from '../support/seed.ts'

/*
 * Options as an untyped caller can give them. The API, which knows null but not undefined, says what is permitted.
 */

type Untyped<Result> = (...args: unknown[]) => Result
interface Counts {
  readonly kept: number
  readonly removed: number
}

const whole: Record<Mode, Untyped<Counts | Promise<Counts>>> = Object({
  lines: dedupeLines,
  rows: dedupeRows,
  json: dedupeJson,
})
const streams: Record<Mode, Untyped<TransformStream & Counts>> = Object({
  lines: linesStream,
  rows: rowsStream,
  json: jsonStream,
})
const page: Untyped<Promise<Counts>> = Object(judgeSource)

/** The ways to ask the engine; each throws or rejects if it does not accept the options. */
const WAYS: Record<string, (mode: Mode, options: unknown) => Promise<Counts>> = {
  whole: async (mode, options) => await whole[mode](LISTS[mode], options),
  stream: async (mode, options) => {
    const stream = streams[mode](options)
    await new Response(new Blob([LISTS[mode]]).stream().pipeThrough(stream)).text()
    return stream
  },
  page: (mode, options) => page(new Blob([LISTS[mode]]), { mode, options }, { seed: seed(), form: 'file' }),
}

/** Each option makes a difference to the counts. */
const LISTS: Record<Mode, string> = {
  lines: 'a\n a\nA\n\n\nb',
  rows: 'John,1\nJohn,1\nJOHN,1\nJohn Smith,2\nSmith John,2\nJohn,3',
  json: '[{"a":1,"b":1},{"a":1,"b":2},{"b":3}]',
}

const VALUES = [
  ...[undefined, null, true, false, 0, 1, 0.5, 0.49, 0.9, 1.01, 2, -1, Number.NaN, Number.POSITIVE_INFINITY],
  ...['', 'a', 'true', '0.9', {}, [], [0], [1, 0, 1], [2 ** 32], [Number.MAX_VALUE]],
  ...[[-1], [1.5], ['0'], [null], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY], [true]],
]

const CASES = MODES.flatMap((mode) =>
  optionsOf(mode).flatMap(([name, option]) => VALUES.map((value) => ({ mode, name, option, value }))),
)

async function countsOf(way: string, mode: Mode, options: unknown): Promise<Counts> {
  const { kept, removed } = (await WAYS[way]?.(mode, options)) ?? {}
  return { kept: Number(kept), removed: Number(removed) }
}

describe.each(Object.keys(WAYS))('%s', (way) => {
  test.each(CASES)('$mode: $name may be $value if the API permits it', async ({ mode, name, option, value }) => {
    const isAbsent = value === undefined || (value === null && name !== 'threshold')
    const asked = () => countsOf(way, mode, { [name]: value })
    if (isAbsent) expect(await asked()).toEqual(await countsOf(way, mode, {}))
    else if (isValueOf(option, value)) await asked()
    else await expect(asked()).rejects.toThrow(new TypeError(refuse.badOption(name, option).body.error))
  })

  test.each([
    { mode: 'lines', options: { trim: true, ignoreCase: undefined, dropEmpty: undefined }, kept: 4 },
    { mode: 'lines', options: { trim: undefined, ignoreCase: true, dropEmpty: true }, kept: 3 },
    { mode: 'rows', options: { keyColumns: [0], hasHeader: undefined, caseSensitive: undefined }, kept: 4 },
    { mode: 'rows', options: { keyColumns: undefined, hasHeader: false, caseSensitive: false }, kept: 4 },
    { mode: 'rows', options: { keyColumns: undefined, fuzzy: true, threshold: undefined }, kept: 3 },
  ] as const)('$mode with $options: what is undefined has its default', async ({ mode, options, kept }) =>
    expect(await countsOf(way, mode, options)).toMatchObject({ kept }),
  )

  test.each(MODES)('%s: options that are not an object are refused', async (mode) => {
    for (const options of [null, 'trim', 1, [], true])
      await expect(countsOf(way, mode, options)).rejects.toThrow(new TypeError('options must be an object'))
  })
})

test('a stream is refused when it is opened, not when it is read', () => {
  expect(() => rowsStream({ keyColumns: [-1] })).toThrow(TypeError)
  expect(() => rowsStream({ keyColumns: new Array(1) })).toThrow(TypeError)
  expect(() => streams.lines({ exact: 'yes' })).toThrow(new TypeError('exact must be a boolean'))
  expect(streams.lines({ exact: undefined }).kept).toBe(0)
})

test.each([[-1], [1.5], [Number.NaN]])('columns derived from a header are checked: %d', (column) => {
  const stream = { sink: { kept: () => {} }, random: seed(), exact: true }
  const sifting = siftRows({ keyColumns: () => [column], hasHeader: true, caseSensitive: true }, stream)
  expect(() => {
    sifting.push(Buffer.from('a\n1\n2\n'))
    sifting.endFile()
  }).toThrow('keyColumns must be an array of integers, each 0 or greater')
})

test.each([2, 0.4, Number.NaN])('a threshold of %d is not passed on to the matcher', (threshold) =>
  expect(() => judgeFuzzy(['abc', 'abd'], threshold)).toThrow('threshold must be a number between 0.5 and 1'),
)
