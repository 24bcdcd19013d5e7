import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Arrangement } from '../src/try/arrangement.ts'
import { differences } from '../src/try/differences.ts'
import { dedupe } from '../src/try/engine.ts'
import { warningOf } from '../src/try/key.ts'
import type { Piece, Summary } from '../src/try/messages.ts'
import { numberIn } from '../src/try/NumberOption.tsx'
import { pathsIn, shownAt } from '../src/try/paths.ts'
import { DEFAULTS, type Question, questionOf } from '../src/try/question.ts'
import { hundredths } from '../src/try/similarity.ts'
import { sourceOfPaste } from '../src/try/source.ts'

describe('a typed number', () => {
  test.each([
    ['0.87', 0.87],
    ['0,87', 0.87],
    ['.9', 0.9],
    [' 1 ', 1],
    ['0.875', 0.875],
  ])('%s is accepted', (text, number) => expect(numberIn(text, 0.5, 1)).toBe(number))

  test.each(['', '0', '0.', '0.4', '1.01', 'x', '1e0', '0x1', '-0.9', '0.9.1'])('%s is not accepted', (text) =>
    expect(numberIn(text, 0.5, 1)).toBeUndefined(),
  )
})

/** Differing parts in brackets; `|` where only the other text has characters. */
const marked = (pieces: readonly Piece[] = []): string =>
  pieces.map(({ text, differs }) => (differs ? (text === '' ? '|' : `[${text}]`) : text)).join('')

describe('differences by character', () => {
  test.each([
    { removed: 'Jon', survivor: 'John', ours: 'Jo|n', theirs: 'Jo[h]n' },
    { removed: 'BEN', survivor: 'BEN', ours: 'BEN', theirs: 'BEN' },
    { removed: 'a😀b', survivor: 'a😁b', ours: 'a[😀]b', theirs: 'a[😁]b' },
    { removed: ' a', survivor: 'a', ours: '[ ]a', theirs: '|a' },
    {
      removed: 'x'.repeat(2_000),
      survivor: 'y'.repeat(2_000),
      ours: `[${'x'.repeat(2_000)}]`,
      theirs: `[${'y'.repeat(2_000)}]`,
    },
  ])('$removed and $survivor', ({ removed, survivor, ours, theirs }) => {
    const [left, right] = differences([removed], [survivor])
    expect([marked(left[0]), marked(right[0])]).toEqual([ours, theirs])
  })

  test('a cell that only one row has differs completely', () => {
    const [left, right] = differences(['a'], ['a', 'b'])
    expect([left.map(marked), right.map(marked)]).toEqual([
      ['a', '|'],
      ['a', '[b]'],
    ])
  })

  test('the pieces joined are the original texts', () => {
    const whole = (pieces: readonly Piece[] = []): string => pieces.map(({ text }) => text).join('')
    const text = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(text, text, (removed, survivor) => {
        const [left, right] = differences([removed], [survivor])
        expect([whole(left[0]), whole(right[0])]).toEqual([removed, survivor])
      }),
    )
  })
})

/** Each line as `survivor` or `  removed`. */
function linesOf(survivorOf: Int32Array, arrangement: Arrangement): string[] {
  return Array.from({ length: arrangement.lineCount }, (_, line) => {
    const { group, member } = arrangement.at(line)
    return member === undefined ? `${survivorOf[arrangement.firstOf(group)]}` : `  ${arrangement.members[member]}`
  })
}

describe('removed entries are listed', () => {
  // 0 a, 1 b, 2 a, 3 dropped, 4 b, 5 a, 6 c
  const survivorOf = Int32Array.of(0, 1, 0, -1, 1, 0, 6)

  test('below their survivors, both in the order of the list', () => {
    const arrangement = Arrangement.of(survivorOf, 'survivor', () => 1)
    expect(linesOf(survivorOf, arrangement)).toEqual(['0', '  2', '  5', '1', '  4'])
  })

  test('in groups that can be collapsed and expanded, one or all', () => {
    const arrangement = Arrangement.of(survivorOf, 'survivor', () => 1)
    arrangement.fold({ group: 0 })
    expect(linesOf(survivorOf, arrangement)).toEqual(['0', '1', '  4'])
    arrangement.fold({ all: true })
    expect(linesOf(survivorOf, arrangement)).toEqual(['0', '1'])
    arrangement.fold({ group: 1 })
    expect(linesOf(survivorOf, arrangement)).toEqual(['0', '1', '  4'])
    arrangement.fold({ all: false })
    expect(arrangement.lineCount).toBe(5)
  })

  test('by pairs, the least similar first', () => {
    const similarities: Record<number, number> = { 2: 1, 4: 0.9, 5: 0.95 }
    const arrangement = Arrangement.of(survivorOf, 'similarity', (entry) => similarities[entry] ?? 0)
    expect(linesOf(survivorOf, arrangement)).toEqual(['1', '  4', '0', '  5', '0', '  2'])
  })

  test('on no lines if nothing was removed', () =>
    expect(Arrangement.of(Int32Array.of(0, 1), 'survivor', () => 1).lineCount).toBe(0))

  test('in any list, each below its survivor exactly once', () => {
    const lists = fc.array(fc.nat(5), { maxLength: 40 })
    fc.assert(
      fc.property(lists, fc.constantFrom('survivor', 'similarity'), (list, order) => {
        const survivors = Int32Array.from(list, (value) => list.indexOf(value))
        const arrangement = Arrangement.of(survivors, order, (entry) => entry % 7)
        const removed = list.flatMap((value, at) => (list.indexOf(value) === at ? [] : [at]))
        expect([...arrangement.members].sort((a, b) => a - b)).toEqual(removed)
        let survivor = ''
        for (const line of linesOf(survivors, arrangement)) {
          if (line.startsWith(' ')) expect(`${survivors[Number(line)]}`).toBe(survivor)
          else survivor = line
        }
      }),
    )
  })
})

describe('the warning about a key that few or no entries have', () => {
  const json = (key: string) => questionOf('json', { ...DEFAULTS, json: { key } })
  const rows = (...keyColumns: number[]) => questionOf('rows', { ...DEFAULTS, rows: { ...DEFAULTS.rows, keyColumns } })
  const counts = { count: 30, withKey: 30, emptyKeys: 0, columns: ['id', 'name'] }
  const warning = (question: Question, given: Partial<typeof counts>) => {
    const unused = {
      kept: 0,
      removed: 0,
      restored: 0,
      removedLines: 0,
      order: 'survivor',
      table: [],
      paths: [],
    } as const
    const summary: Summary = {
      ...unused,
      isJsonLines: false,
      request: 'too large',
      similarities: [],
      durationMs: 0,
      ...counts,
      ...given,
    }
    return warningOf(question, summary)
  }

  test.each([
    {
      what: 'a path that no item has',
      question: json('user.id'),
      given: { withKey: 0 },
      says: 'No item has “user.id”: all but the first were removed.',
    },
    {
      what: 'a path that some items lack',
      question: json('id'),
      given: { withKey: 3 },
      says: '27 of 30 items have no “id”',
    },
    {
      what: 'a column that no row has',
      question: rows(7),
      given: { withKey: 0, emptyKeys: 30 },
      says: 'No row has “Column 7”: all but the first were removed.',
    },
    {
      what: 'empty cells',
      question: rows(0, 1),
      given: { emptyKeys: 4 },
      says: '4 of 30 rows have nothing in “id”, “name”',
    },
  ])('$what', ({ question, given, says }) => expect(warning(question, given)).toContain(says))

  test.each([
    { what: 'a key that all items have', question: json('id'), given: {} },
    { what: 'a key that one item lacks', question: json('id'), given: { withKey: 29 } },
    { what: 'the whole item', question: json(''), given: { emptyKeys: 30 } },
    { what: 'lines', question: questionOf('lines', DEFAULTS), given: { emptyKeys: 30 } },
    { what: 'a single item', question: json('id'), given: { count: 1, withKey: 0 } },
  ])('$what: no warning', ({ question, given }) => expect(warning(question, given)).toBeUndefined())
})

describe('the value at a path', () => {
  test.each([
    { item: '{"user":{"id":9007199254740993}}', path: 'user.id', shows: '9007199254740993' },
    { item: '{"a":[{"b":"x"}]}', path: 'a.0.b', shows: '"x"' },
    { item: '{"a":{"n":1.50,"m":null}}', path: 'a', shows: '{"n":1.50,"m":null}' },
    { item: '{"":[1,"2"]}', path: '', shows: '[1,"2"]' },
    { item: '{"a":1,"a":2}', path: 'a', shows: '2' },
    { item: '[1,2]', path: 'length', shows: '' },
    { item: '{"a":1}', path: 'b', shows: '' },
    { item: '7', path: 'source', shows: '' },
  ])('$path in $item', ({ item, path, shows }) => {
    const digits = (text: string): string => (hasRawNumbers ? text : String(JSON.stringify(JSON.parse(text || '""'))))
    expect(digits(shownAt(item, path))).toBe(digits(shows))
  })

  test('is empty or right in items of any depth', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(shownAt(`{"a":${deep},"b":1}`, 'b')).toMatch(/^1?$/)
  })

  /** Node.js 20 does not pass the source text of numbers to a reviver; browsers do. */
  const hasRawNumbers = 'rawJSON' in JSON
})

test('the paths to choose from are those of all items, in their order of appearance', () => {
  expect(pathsIn(['{"user":{"id":1,"a.b":2},"tags":["x"]}', '{"user":{"name":"n"}}', '7'])).toEqual([
    'user',
    'user.id',
    'tags',
    'tags.0',
    'user.name',
  ])
})

test.each([
  [0.9, 90],
  [0.57, 57],
  [0.99999, 99],
  [8 / 9, 88],
  [1, 100],
])('a similarity of %d is %i hundredths, rounded down', (similarity, steps) =>
  expect(hundredths(similarity)).toBe(steps),
)

describe('half of a character', () => {
  const question = questionOf('lines', DEFAULTS)

  test.each([
    { what: 'typed', text: 'a\n\ud83d\n\udc4d', line: 2 },
    { what: 'in a long paste', text: `${'a\n'.repeat(200_000)}\udc4d`, line: 200_001 },
  ])('$what: the list is refused, since others would become the same character', async ({ text, line }) => {
    const { text: content = new Blob() } = sourceOfPaste([text])
    const read = dedupe({ listId: 1, content, form: 'api', question, separator: ',' }, () => {})
    await expect(read).rejects.toThrow(`Line ${line} contains half of a character`)
  })

  test('the halves of one character may be pasted side by side', () => {
    expect(sourceOfPaste(['\ud83d', '\udc4d']).text).toBe('👍')
  })
})
