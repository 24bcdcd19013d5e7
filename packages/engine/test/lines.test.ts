import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeLines, readLines, Stopped, writeLines } from '../src/index.ts'
import { firstEqual, keptOf } from './reference/exact.ts'

const PLAIN = { trim: false, ignoreCase: false, dropEmpty: false }

function dedupe(text: string, given: Partial<typeof PLAIN> = {}) {
  const options = { ...PLAIN, ...given }
  const lines = readLines(text, options)
  const verdicts = judgeLines(lines, options)
  return { result: writeLines(lines, verdicts), verdicts, count: lines.count }
}

describe('2.2 lines: a plain split', () => {
  test.each([
    { name: 'the empty text is one empty line', text: '', lines: [''] },
    { name: 'a break at the very end is followed by an empty line', text: 'a\n', lines: ['a', ''] },
    { name: 'CR LF is one break', text: 'a\r\nb', lines: ['a', 'b'] },
    { name: 'LF CR is two breaks', text: 'a\n\rb', lines: ['a', '', 'b'] },
    { name: 'CR CR LF is two breaks', text: 'a\r\r\nb', lines: ['a', '', 'b'] },
    { name: 'CR alone breaks', text: 'a\rb\r', lines: ['a', 'b', ''] },
    { name: 'all three in one text', text: 'a\r\nb\nc\rd', lines: ['a', 'b', 'c', 'd'] },
    { name: 'U+2028 and U+2029 do not break', text: 'a\u2028b\u2029c', lines: ['a\u2028b\u2029c'] },
    { name: 'U+0085, VT and FF do not break', text: 'a\u0085b\vc\fd', lines: ['a\u0085b\vc\fd'] },
    { name: 'NUL is data', text: 'a\0b\na', lines: ['a\0b', 'a'] },
    { name: 'a byte-order mark is data', text: '\ufeffa\na', lines: ['\ufeffa', 'a'] },
  ])('$name', ({ text, lines }) => expect(readLines(text, PLAIN).lines).toEqual(lines))
})

describe('2.2 lines: which lines are duplicates', () => {
  test.each([
    { name: 'the first one is kept, the order too', text: 'b\na\nb\nc\na', result: ['b', 'a', 'c'] },
    { name: 'blanks count', text: 'a \na\n a', result: ['a ', 'a', ' a'] },
    { name: 'case counts', text: 'a\nA', result: ['a', 'A'] },
    { name: 'numbers are text', text: '1\n1.0\n01\n1', result: ['1', '1.0', '01'] },
    {
      name: 'names of object members are ordinary',
      text: '__proto__\nconstructor\n__proto__',
      result: ['__proto__', 'constructor'],
    },
    { name: 'precomposed and combining are different', text: '\u00e9\ne\u0301\n\u00e9', result: ['\u00e9', 'e\u0301'] },
    {
      name: 'lone surrogates are different from each other and from U+FFFD',
      text: '\ud800\n\udc00\n\ufffd\n\ud800',
      result: ['\ud800', '\udc00', '\ufffd'],
    },
    {
      name: 'trim: the trimmed line is compared and returned',
      text: ' a\na\t\n\u00a0a\ufeff',
      options: { trim: true },
      result: ['a'],
    },
    {
      name: 'trim leaves U+0085 and U+200B alone',
      text: 'a\u0085\na\u200b\na',
      options: { trim: true },
      result: ['a\u0085', 'a\u200b', 'a'],
    },
    {
      name: 'ignoreCase: the first spelling comes back',
      text: 'Foo\nFOO\nfoo',
      options: { ignoreCase: true },
      result: ['Foo'],
    },
    {
      name: 'ignoreCase is no case folding: ß and SS differ, ß and ẞ do not',
      text: 'ß\nSS\nẞ',
      options: { ignoreCase: true },
      result: ['ß', 'SS'],
    },
    {
      name: 'ignoreCase is locale-independent',
      text: 'I\ni\nı\nİ',
      options: { ignoreCase: true },
      result: ['I', 'ı', 'İ'],
    },
    {
      name: 'ignoreCase knows the final sigma',
      text: 'ΟΔΟΣ\nοδος\nοδοσ',
      options: { ignoreCase: true },
      result: ['ΟΔΟΣ', 'οδοσ'],
    },
    { name: 'ignoreCase beyond the basic plane', text: '𐐀\n𐐨', options: { ignoreCase: true }, result: ['𐐀'] },
    { name: 'dropEmpty leaves lines of blanks', text: 'a\n\n \na', options: { dropEmpty: true }, result: ['a', ' '] },
    {
      name: 'dropEmpty after trim takes them too',
      text: 'a\n\n \na',
      options: { dropEmpty: true, trim: true },
      result: ['a'],
    },
    { name: 'dropEmpty on nothing leaves nothing', text: '\n\n', options: { dropEmpty: true }, result: [] },
  ])('$name', ({ text, options, result }) => expect(dedupe(text, options).result).toEqual(result))

  test('discarded lines are counted in neither sum', () => {
    const { verdicts, count } = dedupe('a\n\na\n', { dropEmpty: true })
    expect({ kept: verdicts.kept, removed: verdicts.removed, count }).toEqual({ kept: 1, removed: 1, count: 4 })
    expect([...verdicts.survivorOf]).toEqual([0, -1, 0, -1])
  })
})

test('lines agree with comparing all pairs, under every combination of options', () => {
  const pieces = fc.constantFrom(
    'a',
    'A',
    'b',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    'Σ',
    'σ',
    'ς',
    'İ',
    'i',
    '\u0307',
    '\ufeff',
    '\ud800',
    '😀',
    '1',
  )
  const texts = fc.array(pieces, { maxLength: 40 }).map((list) => list.join(''))
  const options = fc.record({ trim: fc.boolean(), ignoreCase: fc.boolean(), dropEmpty: fc.boolean() })
  fc.assert(
    fc.property(texts, options, (text, given) => {
      const split = text.split(/\r\n|\n|\r/).map((line) => (given.trim ? line.trim() : line))
      const keys = split.map((line) =>
        given.dropEmpty && line === '' ? undefined : given.ignoreCase ? line.toLowerCase() : line,
      )
      const survivorOf = firstEqual(keys)
      const { result, verdicts } = dedupe(text, given)
      expect([...verdicts.survivorOf]).toEqual(survivorOf)
      expect(result).toEqual(keptOf(split, survivorOf))
      expect(verdicts.kept).toBe(result.length)
      expect(verdicts.kept + verdicts.removed).toBe(keys.filter((key) => key !== undefined).length)
    }),
    { numRuns: 2_000 },
  )
})

test('work that is told to stop ends with Stopped', () => {
  const lines = readLines('a\nb', PLAIN)
  expect(() => judgeLines(lines, PLAIN, () => true)).toThrow(Stopped)
})

test('a million lines pass', () => {
  const { verdicts } = dedupe('a\n'.repeat(1_000_000))
  expect([verdicts.kept, verdicts.removed]).toEqual([2, 999_999])
})
