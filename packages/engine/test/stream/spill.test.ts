import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runs } from '../../../../tests/support/runs.ts'
import { ByteReader } from '../../src/stream/byte-reader.ts'
import { type Sifting, type Spill, type StreamOptions, siftJson, siftLines, siftRows } from '../../src/stream/index.ts'
import { SpilledKeys } from '../../src/stream/spilled-keys.ts'
import { textOf } from '../support/arbitraries.ts'
import { seed } from '../support/seed.ts'

/*
 * With little memory for keys, survivors, report and counts are the same as with much.
 */

/** A spill in memory that returns its bytes in pieces of many lengths. */
class PiecemealSpill implements Spill {
  readonly #parts = new Map<number, Uint8Array[]>()
  writtenBytes = 0

  write(part: number, bytes: Uint8Array): void {
    this.writtenBytes += bytes.length
    const written = this.#parts.get(part) ?? []
    written.push(bytes.slice())
    this.#parts.set(part, written)
  }

  *read(part: number): Generator<Uint8Array> {
    const all = Buffer.concat(this.#parts.get(part) ?? [])
    for (let at = 0, length = 1; at < all.length; at += length, length = (length * 7) % 1_009) {
      yield all.subarray(at, at + length)
    }
  }
}

interface Outcome {
  readonly kept: string
  readonly removed: string[]
  readonly counts: { readonly kept: number; readonly removed: number; readonly emptyKeys: number }
}

const SEED = seed()

type Open = (stream: StreamOptions) => Sifting

function outcome(open: Open, files: readonly string[], how: { exact: boolean; keys?: StreamOptions['keys'] }): Outcome {
  const kept: Uint8Array[] = []
  const removed: string[] = []
  const sifting = open({
    sink: {
      kept: (bytes) => kept.push(bytes.slice()),
      removed: (bytes, position, survivor) => removed.push(`${position} ${survivor} ${Buffer.from(bytes)}`),
    },
    random: SEED,
    exact: how.exact,
    ...(how.keys ? { keys: how.keys } : {}),
  })
  for (const file of files) {
    sifting.push(Buffer.from(file))
    sifting.endFile()
  }
  sifting.end()
  const counts = { kept: sifting.kept, removed: sifting.removed, emptyKeys: sifting.emptyKeys }
  return { kept: Buffer.concat(kept).toString(), removed, counts }
}

/** A pseudo-random list of `count` entries, drawn from `distinct` ones; the same each time. */
function entries(count: number, distinct: number, entry: (value: number) => string): string[] {
  let state = 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return entry(Math.floor((state / 2 ** 32) * distinct))
  })
}

const LINES = { trim: false, ignoreCase: false, dropEmpty: false }
const ROWS = { keyColumns: [1], hasHeader: true, caseSensitive: true }
const WORK: readonly { name: string; open: Open; files: readonly string[] }[] = [
  {
    name: 'lines',
    open: (stream) => siftLines(LINES, stream),
    files: [entries(20_000, 9_000, (value) => `line ${value}\n`).join('')],
  },
  {
    name: 'lines of several files, trimmed, ignoring case, without empty lines',
    open: (stream) => siftLines({ trim: true, ignoreCase: true, dropEmpty: true }, stream),
    files: [0, 1].map((file) =>
      entries(9_000, 7_000, (value) => (value % 50 ? ` Line ${value + file}\r\n` : '\n')).join(''),
    ),
  },
  {
    name: 'line breaks of every kind',
    open: (stream) => siftLines(LINES, stream),
    files: [entries(20_000, 8_000, (value) => `${value}${['\r', '\n', '\r\n'][value % 3]}`).join('')],
  },
  {
    name: 'an empty line after a CR, trimmed',
    open: (stream) => siftLines({ ...LINES, trim: true }, stream),
    files: [`${entries(9_000, 9_000, (value) => `${value}\r`).join('')}last\r \na\n`],
  },
  {
    name: 'files of one line without a line break, then one with others',
    open: (stream) => siftLines(LINES, stream),
    files: [...entries(9_000, 9_000, String), 'a\r\nb', 'c\n'],
  },
  {
    name: 'rows by a column, empty keys kept',
    open: (stream) => siftRows({ ...ROWS, keepEmpty: true }, stream),
    files: [
      'a,b\n'.concat(
        entries(15_000, 7_000, (value) => `${value % 3},${value % 40 ? `"k,\n${value}"` : ''}\n`).join(''),
      ),
    ],
  },
  {
    name: 'files that end within quotes',
    open: (stream) => siftRows({ ...ROWS, keyColumns: [0] }, stream),
    files: ['a\n', ...entries(4_000, 2_000, (value) => `${value}\n"k${value}`)],
  },
  {
    name: 'an array of JSON by a path',
    open: (stream) => siftJson({ key: 'a', isLines: false }, stream),
    files: [`[${entries(15_000, 7_000, (value) => `\n {"a":${value}}`).join(' , ')} ]\n`],
  },
  {
    name: 'one value per line, the last without a line break',
    open: (stream) => siftJson({ key: '', isLines: true }, stream),
    files: [entries(15_000, 7_000, (value) => `"é${value}"`).join('\n')],
  },
]

describe('the keys of a partition', () => {
  const hashes = entries(6_000, 4_000, String).map((value) =>
    Uint32Array.of(7, Number(value) >> 2, 5, Number(value) & 3),
  )
  const firstOf = hashes.map((hash) => hashes.findIndex((other) => other.every((word, at) => word === hash[at])))

  test.each([1_000, 10_000, 100_000, 1_000_000])('have their first positions with %i bytes', (memoryBytes) => {
    const keys = new SpilledKeys(new PiecemealSpill(), 0, false)
    for (const [at, hash] of hashes.entries()) keys.addHash(hash, 0, 10 * at)
    expect([...keys.survivors(memoryBytes)]).toEqual(firstOf.map((at) => 10 * at))
  })
})

describe('memory for the keys of a partition', () => {
  const DISTINCT = 50
  const keyOf = (value: number) => new TextEncoder().encode(`key ${value % DISTINCT}`)

  /** How many times the keys are read until each has its first position. */
  function passes(exact: boolean, memoryBytes: number): number {
    const spill = new PiecemealSpill()
    const read = vi.spyOn(spill, 'read')
    const keys = new SpilledKeys(spill, 0, exact)
    for (let at = 0; at < 2 * DISTINCT; at += 1) {
      if (exact) keys.addBytes(keyOf(at), at)
      else keys.addHash(Uint32Array.of(7, at % DISTINCT, 0, 0), 0, at)
    }
    expect([...keys.survivors(memoryBytes)]).toEqual(Array.from({ length: 2 * DISTINCT }, (_, at) => at % DISTINCT))
    return read.mock.calls.length
  }

  // A hash takes 48 bytes in a table that is at most half full, a key some 112.
  test.each([
    { what: 'hashes', exact: false, memoryBytes: 480, expected: 5 },
    { what: 'hashes', exact: false, memoryBytes: 48 * DISTINCT, expected: 1 },
    { what: 'keys', exact: true, memoryBytes: 1_100, expected: 5 },
    { what: 'keys', exact: true, memoryBytes: 112 * DISTINCT, expected: 1 },
  ])('$memoryBytes bytes: $what are read $expected times', ({ exact, memoryBytes, expected }) => {
    expect(passes(exact, memoryBytes)).toBe(expected)
  })
})

test('a spill that ends too early is an error, not the end', () => {
  const reader = new ByteReader([Uint8Array.of(1, 2), Uint8Array.of(3)].values())
  const two = new Uint8Array(2)
  expect(reader.fill(two)).toBe(true)
  expect(() => reader.fill(two)).toThrow(new RangeError('the bytes end too early'))
  expect(new ByteReader([].values()).fill(two)).toBe(false)
})

describe('with little memory for keys', () => {
  test.each(
    WORK.flatMap((work) =>
      [false, true].flatMap((exact) => [8_192, 65_536].map((memoryBytes) => ({ ...work, exact, memoryBytes }))),
    ),
  )('$name, exact $exact, $memoryBytes bytes', ({ open, files, exact, memoryBytes }) => {
    const spill = new PiecemealSpill()
    const bounded = outcome(open, files, { exact, keys: { memoryBytes, spill } })
    expect(spill.writtenBytes).toBeGreaterThan(0)
    expect(bounded).toEqual(outcome(open, files, { exact }))
  })

  test.each([false, true])('survivors and counts are the same if nobody asks for the duplicates, exact %s', (exact) => {
    const [work] = WORK
    if (work === undefined) throw new Error('no work')
    const silently: Open = ({ sink: { kept }, ...stream }) => work.open({ ...stream, sink: { kept } })
    const spill = new PiecemealSpill()
    const { kept, removed, counts } = outcome(silently, work.files, { exact, keys: { memoryBytes: 8_192, spill } })
    const all = outcome(work.open, work.files, { exact })
    expect({ kept, removed, counts }).toEqual({ ...all, removed: [] })
    expect(all.removed).not.toEqual([])
  })

  test('any lines with any amount of memory have the same outcome as without a limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(3_000), { maxLength: 4_000, size: 'max' }),
        fc.integer({ min: 1, max: 40_000 }),
        fc.boolean(),
        (values, memoryBytes, exact) => {
          const files = [values.map((value) => `${value}${value % 5 ? '\n' : '\r'}`).join('')]
          const open: Open = (stream) => siftLines(LINES, stream)
          const keys = { memoryBytes, spill: new PiecemealSpill() }
          expect(outcome(open, files, { exact, keys })).toEqual(outcome(open, files, { exact }))
        },
      ),
      { numRuns: runs(300) },
    )
  })

  test('white space, line breaks and quotes of every kind have the same outcome as without a limit', () => {
    // As many distinct keys as the smallest table can hold, so that what follows is spilled.
    const before = Array.from({ length: 64 }, (_, at) => `before ${at}\n`).join('')
    const flag = fc.boolean()
    const options = fc.record({ trim: flag, ignoreCase: flag, dropEmpty: flag, keepEmpty: flag, exact: flag })
    const text = textOf('a', 'B', 'é', ' ', '"', ',', '\n', '\r')
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), options, flag, (rest, chosen, isLines) => {
        const rows = { keyColumns: [], hasHeader: false, caseSensitive: !chosen.ignoreCase }
        const open: Open = (stream) => (isLines ? siftLines(chosen, stream) : siftRows({ ...chosen, ...rows }, stream))
        const files = [before, ...rest]
        const bounded = outcome(open, files, { ...chosen, keys: { memoryBytes: 1, spill: new PiecemealSpill() } })
        expect(bounded).toEqual(outcome(open, files, chosen))
      }),
      { numRuns: runs(400) },
    )
  })

  test('nothing is spilled while there is enough memory', () => {
    const spill = new PiecemealSpill()
    outcome((stream) => siftLines(LINES, stream), ['a\nb\na\n'], { exact: false, keys: { memoryBytes: 1e6, spill } })
    expect(spill.writtenBytes).toBe(0)
  })

  test('the remaining output comes in steps', () => {
    const spill = new PiecemealSpill()
    let kept = 0
    const sifting = siftLines(LINES, {
      sink: { kept: (bytes) => (kept += bytes.length) },
      random: SEED,
      exact: false,
      keys: { memoryBytes: 8_192, spill },
    })
    sifting.push(Buffer.from(Array.from({ length: 50_000 }, (_, at) => `${at}\n`).join('')))
    sifting.endFile()
    const seen = new Set<number>()
    for (const _ of sifting.ending()) seen.add(kept)
    expect(seen.size).toBeGreaterThan(10)
  })
})
