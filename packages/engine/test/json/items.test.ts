import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { itemValue, judgeItems, readItems, Stopped, textOf, writeItems } from '../../src/index.ts'
import { firstEqual, keptOf, lookUp } from '../reference/exact.ts'

function read(text: string) {
  const items = readItems(text)
  if (items === undefined) throw new Error('no JSON array')
  return items
}

function dedupe(text: string, key = ''): string {
  const items = read(text)
  return writeItems(items, judgeItems(items, { key }))
}

describe('json: survivors come back as the very text that they were', () => {
  test.each([
    { name: 'integers beyond 2^53', text: '[9007199254740993, 9007199254740992]' },
    { name: 'numbers beyond every double', text: '[1e400, -1E+400, 1e-400]' },
    { name: 'the spelling of numbers', text: '[1.50, -0, 1E0]' },
    { name: 'members named like integers', text: '[{"2":1,"1":2}]' },
    { name: 'repeated members', text: '[{"a":1,"a":2}]' },
    { name: 'members of every object', text: '[{"__proto__":{"a":1},"constructor":2}]' },
    { name: 'lone surrogates and odd escapes', text: String.raw`["\ud800", "\u0041\/", "\udc00\ud800"]` },
    { name: 'white space inside an item', text: '[{ "a" :\n[ 1,\t2 ] }]' },
  ])('$name', ({ text }) =>
    expect(dedupe(text)).toBe(text.replaceAll(', ', (comma) => (text.includes('\n') ? comma : ','))),
  )

  test('100,000 levels of nesting', () => {
    const item = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`
    expect(dedupe(`[${item},0,${item}]`)).toBe(`[${item},0]`)
  })

  test('as many levels as a body holds, and one that is never closed', () => {
    const item = '['.repeat(2_500_000) + ']'.repeat(2_500_000)
    expect(dedupe(`[${item}]`)).toBe(`[${item}]`)
    expect(readItems('['.repeat(5_000_000))).toBeUndefined()
  })
})

describe('json: which items are equal', () => {
  test.each([
    {
      name: 'white space between tokens does not count',
      text: '[{"a":[1, 2]},{ "a" :\r\n\t[1,2] }]',
      result: '[{"a":[1, 2]}]',
    },
    { name: 'inside strings it does', text: '["a b","ab"]', result: '["a b","ab"]' },
    { name: 'nor does the spelling of strings', text: String.raw`["é/","\u00e9\/","\u00E9\u002f"]`, result: '["é/"]' },
    {
      name: 'an escaped backslash is no escape',
      text: String.raw`["\\u0041","A","\u0041","\\n","\n"]`,
      result: String.raw`["\\u0041","A","\\n","\n"]`,
    },
    {
      name: 'quotes and backslashes',
      text: String.raw`["\"","\u0022","\\","\u005c","\\\""]`,
      result: String.raw`["\"","\\","\\\""]`,
    },
    {
      name: 'two halves of a character are that character',
      text: String.raw`["😀","\ud83d\ude00","\ud83d"]`,
      result: String.raw`["😀","\ud83d"]`,
    },
    {
      name: 'lone surrogates differ from each other and from U+FFFD',
      text: String.raw`["\ud800","\uD800","\udc00","\ufffd"]`,
      result: String.raw`["\ud800","\udc00","\ufffd"]`,
    },
    {
      name: 'member names by what they say',
      text: String.raw`[{"\u0061":1},{"a":1}]`,
      result: String.raw`[{"\u0061":1}]`,
    },
    { name: 'member order counts', text: '[{"a":1,"b":2},{"b":2,"a":1}]', result: '[{"a":1,"b":2},{"b":2,"a":1}]' },
    {
      name: 'also of members named like integers',
      text: '[{"2":0,"1":0},{"1":0,"2":0}]',
      result: '[{"2":0,"1":0},{"1":0,"2":0}]',
    },
    {
      name: 'numbers by their value, wherever they stand',
      text: '[{"a":[1]},{"a":[1.0]},{"a":[1e0]},{"a":[10e-1]}]',
      result: '[{"a":[1]}]',
    },
    {
      name: 'no number is a string',
      text: '[1,"1",true,"true",null,"null",[],{},""]',
      result: '[1,"1",true,"true",null,"null",[],{},""]',
    },
    {
      name: 'numbers that one double stands for differ',
      text: '[9007199254740993,9007199254740992,0.1,0.10000000000000001]',
      result: '[9007199254740993,9007199254740992,0.1,0.10000000000000001]',
    },
    { name: 'an array is not its items', text: '[[1],[[1]],1,[1,2],[12]]', result: '[[1],[[1]],1,[1,2],[12]]' },
    { name: 'whole items see repeated members', text: '[{"a":1,"a":2},{"a":2}]', result: '[{"a":1,"a":2},{"a":2}]' },
    { name: 'precomposed and combining are different', text: '["é","e\u0301"]', result: '["é","e\u0301"]' },
    { name: 'no items', text: ' [ ] ', result: '[]' },
  ])('$name', ({ text, result }) => expect(dedupe(text)).toBe(result))
})

describe('2.2 key: a dot path', () => {
  test.each([
    {
      name: 'names a member',
      key: 'id',
      text: '[{"id":1,"v":1},{"id":1,"v":2},{"id":2}]',
      result: '[{"id":1,"v":1},{"id":2}]',
    },
    {
      name: 'goes deeper',
      key: 'u.e',
      text: '[{"u":{"e":1}},{"x":{"e":2},"u":{"e":1}},{"u":{"e":2}}]',
      result: '[{"u":{"e":1}},{"u":{"e":2}}]',
    },
    {
      name: 'the values compare as items do',
      key: 'a',
      text: String.raw`[{"a":[1, "A"]},{"a":[1.0,"\u0041"]}]`,
      result: '[{"a":[1, "A"]}]',
    },
    { name: 'unresolved items share one key', key: 'a', text: '[{"b":1},5,"a",null,[],{"c":2}]', result: '[{"b":1}]' },
    {
      name: 'null is a value, so are false, 0, "" and []',
      key: 'a',
      text: '[{"a":null},{},{"a":false},{"a":0},{"a":""},{"a":[]},{"a":null}]',
      result: '[{"a":null},{},{"a":false},{"a":0},{"a":""},{"a":[]}]',
    },
    {
      name: 'a path through null does not resolve',
      key: 'a.b',
      text: '[{"a":null},{"a":1},{"a":{"b":null}}]',
      result: '[{"a":null},{"a":{"b":null}}]',
    },
    { name: 'digits name an element', key: '1', text: '[[1,2],[3,2],[2],{"1":2}]', result: '[[1,2],[2]]' },
    { name: 'and a member', key: '0.0', text: '[{"0":["x"]},[{"0":"x"}],[["x"]]]', result: '[{"0":["x"]}]' },
    {
      name: 'not with a nought in front, a sign or a point',
      key: '01',
      text: '[[1,2],[3,4],{"01":5}]',
      result: '[[1,2],{"01":5}]',
    },
    { name: 'nor a name', key: 'length', text: '[[1,2],[3],"ab",{"length":2}]', result: '[[1,2],{"length":2}]' },
    {
      name: 'an element of many digits is never there',
      key: '9007199254740993',
      text: '[[1],[2],{"9007199254740993":1}]',
      result: '[[1],{"9007199254740993":1}]',
    },
    { name: 'nothing is inherited', key: 'constructor.name', text: '[{"a":1},{"b":2},[]]', result: '[{"a":1}]' },
    {
      name: 'an own __proto__ is a member',
      key: '__proto__',
      text: '[{"__proto__":1},{"__proto__":2},{}]',
      result: '[{"__proto__":1},{"__proto__":2},{}]',
    },
    {
      name: 'an empty segment names the member ""',
      key: '.',
      text: '[{"":{"":1}},{"":{"":1,"a":2}},{"":{}}]',
      result: '[{"":{"":1}},{"":{}}]',
    },
    {
      name: 'names by what they say',
      key: 'a\n',
      text: String.raw`[{"a\n":1},{"\u0061\u000a":1},{"a\\n":1}]`,
      result: String.raw`[{"a\n":1},{"a\\n":1}]`,
    },
    {
      name: 'a name in the path is taken as it stands',
      key: String.raw`a\n`,
      text: String.raw`[{"a\n":1},{"a\n":2},{"a\\n":1}]`,
      result: String.raw`[{"a\n":1},{"a\\n":1}]`,
    },
    {
      name: 'names outside ASCII',
      key: 'größe.😀',
      text: String.raw`[{"größe":{"😀":1}},{"gr\u00f6\u00dfe":{"\ud83d\ude00":1}}]`,
      result: '[{"größe":{"😀":1}}]',
    },
    {
      name: 'of a repeated member the last one counts',
      key: 'a',
      text: '[{"a":1,"a":2},{"a":2},{"a":1}]',
      result: '[{"a":1,"a":2},{"a":1}]',
    },
    {
      name: 'at every level, also when it ends the path',
      key: 'a.b',
      text: '[{"a":{"b":1},"a":{"b":2}},{"a":{"b":1,"b":2}},{"a":{"b":1},"a":3},{}]',
      result: '[{"a":{"b":1},"a":{"b":2}},{"a":{"b":1},"a":3}]',
    },
    {
      name: 'a longer or shorter name is another',
      key: 'ab',
      text: '[{"a":1,"abc":2},{"abc":3},{"ab":1}]',
      result: '[{"a":1,"abc":2},{"ab":1}]',
    },
    {
      name: 'deeper namesakes are others',
      key: 'a',
      text: '[{"b":{"a":1}},{"b":[{"a":2}]},{"b":{"a":9},"a":3}]',
      result: '[{"b":{"a":1}},{"b":{"a":9},"a":3}]',
    },
  ])('$name', ({ key, text, result }) => expect(dedupe(text, key)).toBe(result))

  test('700,000 segments into as many levels take one pass', () => {
    const item = (value: number) => `${'{"a":'.repeat(700_000)}${value}${'}'.repeat(700_000)}`
    const key = Array.from({ length: 700_000 }, () => 'a').join('.')
    expect(read(`[${item(1)},${item(1)},${item(2)}]`).count).toBe(3)
    const items = read(`[${item(1)},${item(1)},${item(2)}]`)
    expect([...judgeItems(items, { key }).survivorOf]).toEqual([0, 0, 2])
  })

  test('a giant segment costs nothing where names are short', () => {
    const items = read(`[${'{"a":1},'.repeat(50_000)}[1]]`)
    expect(judgeItems(items, { key: '9'.repeat(1_000_000) }).kept).toBe(1)
  })
})

/** A value spelled at random: white space, escapes, noughts and exponents. */
function spellings(value: unknown, choose: () => number): string {
  const gap = () => ['', '', '', ' ', '\n', '\t\r '][choose() % 6] ?? ''
  if (Array.isArray(value)) return `[${gap()}${value.map((item) => spellings(item, choose) + gap()).join(`,${gap()}`)}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, item]) => `${spellings(name, choose)}${gap()}:${gap()}${spellings(item, choose)}${gap()}`,
    )
    return `{${gap()}${members.join(`,${gap()}`)}}`
  }
  if (typeof value === 'string') {
    const units = Array.from({ length: value.length }, (_, index) => value.charAt(index))
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    return `"${units.map((unit) => (choose() % 4 === 0 ? escaped(unit) : JSON.stringify(unit).slice(1, -1))).join('')}"`
  }
  if (typeof value === 'number' && Number.isInteger(value))
    return [`${value}`, `${value}.0`, `${value}e0`, value === 0 ? '-0E3' : `${value}0E-1`][choose() % 4] ?? ''
  return JSON.stringify(value)
}

// What JavaScript's own values hold without loss: whole numbers up to 2^53, names that are no integers, each once.
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1,
      -1,
      10,
      2 ** 53,
      '',
      'a',
      'b',
      'é',
      '"',
      '\\',
      '\n',
      '😀',
      '\ud800',
    ),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '', 'é', '"', 'a.b'), tie('any')), {
        maxLength: 3,
        selector: ([name]) => name,
      })
      .map(Object.fromEntries),
  ),
})).any

test('items agree with JSON.parse and comparing all pairs, in every spelling, with and without a path', () => {
  const paths = fc.constantFrom('', 'a', 'b', 'a.b', '0', 'a.0', '1.a', '.', 'é', 'length', 'a.a.a')
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), paths, fc.infiniteStream(fc.nat(1_000)), (list, key, stream) => {
      const spelled = list.map((item) => spellings(item, () => stream.next().value ?? 0))
      const text = ` [${spelled.join(' ,\n')}]\n`
      const items = read(text)
      expect(items.count).toBe(list.length)
      expect(Array.from(list, (_, item) => textOf(itemValue(items, item)))).toEqual(spelled)
      expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(list))
      const keys = list.map((item) => String(JSON.stringify(key === '' ? item : lookUp(item, key))))
      const survivorOf = firstEqual(keys)
      const verdicts = judgeItems(items, { key })
      expect([...verdicts.survivorOf]).toEqual(survivorOf)
      expect(writeItems(items, verdicts)).toBe(`[${keptOf(spelled, survivorOf).join(',')}]`)
    }),
    { numRuns: 3_000 },
  )
})

test('work that is told to stop ends with Stopped', () => {
  expect(() => judgeItems(read('[1]'), { key: '' }, () => true)).toThrow(Stopped)
})
