import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULTS, type Question, questionOf, spokenOptions } from '../src/try/question.ts'
import { curlRequest, localCommand, requestBody, shellWord } from '../src/try/requests.ts'

const rows = (options: Partial<(typeof DEFAULTS)['rows']>): Question =>
  questionOf('rows', {
    ...DEFAULTS,
    rows: { ...DEFAULTS.rows, ...options },
  })
const lines = questionOf('lines', { ...DEFAULTS, lines: { trim: true, ignoreCase: false, dropEmpty: false } })
const json = questionOf('json', { ...DEFAULTS, json: { key: 'user.id' } })

/** What a shell makes of one word, byte for byte. */
function echoed(word: string): string {
  return execFileSync('sh', ['-c', `printf %s ${word}; printf .`], { encoding: 'utf8' }).slice(0, -1)
}

describe('a word for the shell', () => {
  test.each([
    ['a name', 'list.txt'],
    ['blanks', 'my list.txt'],
    ['single quotes', `it's`],
    ['what shells look at', '$HOME `id` "x" \\ ! * ? ~ & | ; < > ( ) # \n'],
    ['nothing', ''],
    ['something that looks like an option', '-n'],
  ])('%s comes back as it was', (_, text) => expect(echoed(shellWord(text))).toBe(text))

  test('any text comes back as it was', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((any) => !any.includes('\0'))
    const holds = fc.property(text, (any) => {
      expect(echoed(shellWord(any))).toBe(any)
    })
    fc.assert(holds, { numRuns: 60 })
  })
})

describe('the body of the same request', () => {
  test.each([
    {
      name: 'lines',
      question: lines,
      text: 'a\nb"',
      body: '{"mode":"lines","data":"a\\nb\\"","options":{"trim":true}}',
    },
    { name: 'rows without options', question: rows({}), text: 'a,b', body: '{"mode":"rows","data":"a,b"}' },
    {
      name: 'json, as the text that it is',
      question: json,
      text: ' [9007199254740993, 1e400] \n',
      body: '{"mode":"json","data":[9007199254740993, 1e400],"options":{"key":"user.id"}}',
    },
  ])('$name', ({ question, text, body }) => expect(requestBody(text, question)).toBe(body))
})

describe('options are said when they mean something', () => {
  test.each([
    { name: 'defaults are not', question: rows({}), spoken: {} },
    { name: 'a threshold without fuzzy is not', question: rows({ threshold: 0.8 }), spoken: {} },
    {
      name: 'the case beside fuzzy is not',
      question: rows({ fuzzy: true, caseSensitive: false, threshold: 0.8 }),
      spoken: { fuzzy: true, threshold: 0.8 },
    },
    { name: 'columns are', question: rows({ keyColumns: [0, 2] }), spoken: { keyColumns: [0, 2] } },
  ])('$name', ({ question, spoken }) => expect(spokenOptions(question)).toEqual(spoken))
})

describe('commands', () => {
  test('curl without a key', () =>
    expect(curlRequest('http://localhost:8080/api/dedupe', '{"mode":"lines"}', false)).toBe(
      `curl http://localhost:8080/api/dedupe \\
  -H 'Content-Type: application/json' \\
  --data-binary '{"mode":"lines"}'`,
    ))

  test('curl with a key, which is left to the environment', () =>
    expect(curlRequest('http://localhost:8080/api/dedupe', '@request.json', true)).toContain(
      `-H "Authorization: Bearer $KEEPFIRST_KEY"`,
    ))

  test.each([
    { question: lines, file: 'my list.txt', command: `keepfirst lines --trim 'my list.txt'` },
    { question: json, file: 'a.json', command: 'keepfirst json --key user.id a.json' },
    {
      question: rows({ keyColumns: [1, 3], hasHeader: false, fuzzy: true, threshold: 0.85 }),
      file: 'a.csv',
      command: 'keepfirst rows --key-columns 1,3 --no-header --fuzzy --threshold 0.85 a.csv',
    },
    { question: rows({ caseSensitive: false }), file: 'a.csv', command: 'keepfirst rows --ignore-case a.csv' },
  ])('$command', ({ question, file, command }) => expect(localCommand(question, file)).toBe(command))
})
