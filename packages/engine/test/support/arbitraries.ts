import fc from 'fast-check'
import type { Question } from '../../src/modes/index.ts'

/** Text of a few characters, so that duplicates, line breaks, quotes and unusual white space occur together often. */
export function textOf(...characters: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { maxLength: 60 }).map((parts) => parts.join(''))
}

const BREAKS = ['\n', '\r', '\r\n', '\u2028', '\u0085']
const SPACES = [' ', '\t', '\u00a0', '\u3000', '\ufeff', '\u1680', '\u200b']
/** Letters with and without case, of one to four bytes, and some whose lower case is irregular. */
const LETTERS = ['a', 'A', 'é', 'É', 'Σ', 'σ', 'ς', 'İ', 'Ⱥ', 'K', 'ſ', 'ﬀ', '힣', '😀', '𐐀', '\ud800', '\udfff']
/** About as long as a vector of the kernel, and longer. */
const RUNS = ['x'.repeat(15), 'y'.repeat(16), 'Zé'.repeat(20)]
const JSON_SPECIAL = ['"', '\\', '/', '\u0000', '\u0001', '\u001f', '\u007f']

export const lineText: fc.Arbitrary<string> = textOf(
  ...BREAKS,
  ...BREAKS.slice(0, 3),
  ...SPACES,
  ...LETTERS,
  ...RUNS,
  ...JSON_SPECIAL,
)

export const rowText: fc.Arbitrary<string> = textOf(
  ...BREAKS,
  ...LETTERS,
  ...RUNS,
  ...JSON_SPECIAL,
  ...['"', '"', '""', ',', ',', ',', '\n', '"a"', '"a,b"', ' ', '\ufeff', ';', '|'],
)

/** A string as JSON, with each character written or escaped in one of the possible ways. */
export function spelledIn(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(text, fc.infiniteStream(fc.nat({ max: 3 }))).map(([value, choices]) => {
    const units =
      JSON.stringify(value)
        .slice(1, -1)
        .match(/\\u.{4}|\\.|[^\\]/gsu) ?? []
    const spelled = units.map((unit) => {
      const choice = choices.next().value
      if (unit.startsWith('\\') || choice > 1) return unit
      const escapes = Array.from({ length: unit.length }, (_, i) => unit.charCodeAt(i).toString(16).padStart(4, '0'))
      return escapes.map((hex) => `\\u${choice === 0 ? hex : hex.toUpperCase()}`).join('')
    })
    return `"${spelled.join('')}"`
  })
}

const NUMBERS = [
  ...['0', '-0', '0.0', '0e5', '-0.00', '1', '1.0', '1e0', '10e-1', '0.1e1', '-1', '-1.0', '100', '1e2', '1E+2'],
  ...['1e20', '100000000000000000000', '1e21', '1e22', '1e-5', '0.00001', '1e-6', '1e-7', '0.0000001', '0.5', '5e-1'],
  ...['1.50', '1.5', '12.340', '9007199254740993', '9007199254740992', '1e400', '10e399', '-1e400', '1e-400'],
  ...['123456789012345678901', '1234567890123456789012', '1.234567890123456789012e21', '12345678901234567890.5'],
  ...['1e99999999999999999', '10e99999999999999998', '1e99999999999999999999', '10e99999999999999999998'],
  ...['0.1e100000000000000000000', '1e-99999999999999999999', '0.1e-99999999999999999998', '1e+000000000000000000002'],
]

const space = fc.constantFrom('', '', '', ' ', '\n', '\t ', '\r\n')

/** JSON text of any value, with unusual spelling. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const spaced = (text: fc.Arbitrary<string>) => fc.tuple(space, text, space).map((parts) => parts.join(''))
  const string = spelledIn(
    fc.oneof(fc.constantFrom('a', 'b', '', '"', '\\', 'é', '\ud800', '\udc00', ']', '}'), lineText),
  )
  const name = spelledIn(fc.constantFrom('a', 'b', 'a', '0', '1', '', 'id', '"', '\\', 'é', '__proto__', '\ud800'))
  const member = fc.tuple(spaced(name), spaced(tie('value'))).map(([key, value]) => `${key}:${value}`)
  const list = (item: fc.Arbitrary<string>) => fc.array(item, { maxLength: 4 })
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...NUMBERS),
      fc.constantFrom('true', 'false', 'null'),
      string,
      fc.tuple(space, list(spaced(tie('value')))).map(([inside, items]) => `[${items.length ? items : inside}]`),
      fc.tuple(space, list(member)).map(([inside, members]) => `{${members.length ? members : inside}}`),
    ),
  }
}).value

const PATHS = [
  '',
  '',
  'a',
  'b',
  'a.b',
  'a.0',
  '0',
  '1.a',
  'id',
  '"',
  '\\',
  'é',
  '.',
  'a..b',
  '__proto__',
  '\ud800',
  '01',
]

const columns = fc.array(fc.constantFrom(0, 1, 2, 3, 4_294_967_296, Number.MAX_VALUE), { maxLength: 3 })

/** Mode and options, and the JSON text of `data` for them. */
export const anyRequest: fc.Arbitrary<{ question: Question; data: string }> = fc.oneof(
  fc.record({
    question: fc.record({
      mode: fc.constant<'lines'>('lines'),
      options: fc.record({ trim: fc.boolean(), ignoreCase: fc.boolean(), dropEmpty: fc.boolean() }),
    }),
    data: spelledIn(lineText),
  }),
  fc.record({
    question: fc.record({
      mode: fc.constant<'rows'>('rows'),
      options: fc.record({
        keyColumns: columns,
        hasHeader: fc.boolean(),
        caseSensitive: fc.boolean(),
        fuzzy: fc.constant(false),
        threshold: fc.constant(0.9),
      }),
    }),
    data: spelledIn(rowText),
  }),
  fc.record({
    question: fc.record({
      mode: fc.constant<'json'>('json'),
      options: fc.record({ key: fc.constantFrom(...PATHS) }),
    }),
    data: fc.array(jsonText, { maxLength: 8 }).map((items) => `[${items}]`),
  }),
)
