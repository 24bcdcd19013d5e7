import { execFileSync } from 'node:child_process'
import { DEDUPE_EXAMPLES, shellWord, VALIDATE_EXAMPLE } from '@keepfirst/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyOf, callOf, type ExampleCall, examplesOf, type Language } from '../src/examples/examples.ts'
import { pythonString, scriptString } from '../src/examples/literals.ts'

/** Evaluates string literals in each language. */
const EVALUATORS: Record<string, (texts: readonly string[]) => string[]> = {
  shell: (texts) =>
    execFileSync('sh', ['-c', `printf '%s\\0' ${texts.map(shellWord).join(' ')}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1),
  JavaScript: (texts) =>
    JSON.parse(
      execFileSync(process.execPath, ['-e', `console.log(JSON.stringify([${texts.map(scriptString).join(',')}]))`], {
        encoding: 'utf8',
      }),
    ),
  Python: (texts) =>
    JSON.parse(
      execFileSync('python3', ['-c', `import json\nprint(json.dumps([${texts.map(pythonString).join(',')}]))`], {
        encoding: 'utf8',
      }),
    ),
}

describe.each(Object.keys(EVALUATORS))('a string literal in %s', (language) => {
  const evaluated = (texts: readonly string[]): string[] => EVALUATORS[language]?.(texts) ?? []

  test('evaluates to the same text', () => {
    const texts = [
      'list.txt',
      'my list',
      `it's "quoted"`,
      '$HOME `id` \\n \\ ! * ? ~ & | ; < > ( ) # \n\t\r',
      '',
      '-n',
      'ü😀\u2028\ufeff\x01\x7f',
    ]
    expect(evaluated(texts)).toEqual(texts)
  })

  test('evaluates to the same text for any text', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((any) => !any.includes('\0'))
    const holds = fc.property(fc.array(text, { minLength: 20 }), (texts) => {
      expect(evaluated(texts)).toEqual(texts)
    })
    fc.assert(holds, { numRuns: 4 })
  })
})

test('lone surrogates are kept in JavaScript and Python', () => {
  for (const language of ['JavaScript', 'Python'])
    expect(EVALUATORS[language]?.(['\ud800', 'a\udc00b'])).toEqual(['\ud800', 'a\udc00b'])
})

test('a body contains JSON unchanged, and other lists as strings', () => {
  expect(bodyOf({ mode: 'json', options: { key: 'id' } }, ' [1e400, 9007199254740993]\n')).toBe(
    '{"mode":"json","data":[1e400, 9007199254740993],"options":{"key":"id"}}',
  )
  expect(bodyOf({ mode: 'lines', options: {} }, 'a\n"b"')).toBe('{"mode":"lines","data":"a\\n\\"b\\""}')
})

describe('examples by the source of the list', () => {
  const code = (language: Language, call: ExampleCall): string =>
    examplesOf('http://localhost:8080', call).find((example) => example.language === language)?.code ?? ''
  const rows = { mode: 'rows', options: { keyColumns: [1, 3] }, keyed: false } as const

  test.each([
    {
      from: 'a file',
      data: { from: 'file', name: 'my list.csv' },
      command: `keepfirst rows --key-columns 1,3 'my list.csv'`,
    },
    {
      from: 'a file with semicolons',
      data: { from: 'request', name: 'a.csv', separator: ';' },
      command: `keepfirst rows --key-columns 1,3 --delimiter ';' a.csv`,
    },
    {
      from: 'a file with tabs',
      data: { from: 'request', name: 'a.tsv', separator: '\t' },
      command: `keepfirst rows --key-columns 1,3 --delimiter '\\t' a.tsv`,
    },
    {
      from: 'the example',
      data: { from: 'example', text: "a,b\nit's" },
      command: `printf %s 'a,b\nit'\\''s' |\n  keepfirst rows --key-columns 1,3`,
    },
  ] as const)('$from, on the command line', ({ data, command }) =>
    expect(code('local', { ...rows, data })).toBe(command),
  )

  test('for a long list, curl reads a file with the whole request; scripts read the list itself', () => {
    const call = { ...rows, data: { from: 'file', name: 'a.csv' } } as const
    expect(code('curl', call)).toContain('--data-binary @request.json')
    expect(code('javascript', call)).toContain(`await readFile('a.csv', 'utf8')`)
    expect(code('python', call)).toContain('open("a.csv", encoding="utf-8", newline="")')
    expect(code('typescript', call)).toContain('keepfirst.rows(data, { keyColumns: [1, 3] })')
  })

  test('a key is read from the environment, but only if one is needed', () => {
    for (const { keyed, request } of DEDUPE_EXAMPLES) {
      const codes = examplesOf('http://localhost:8080', callOf(request)).filter(({ language }) => language !== 'local')
      for (const { code } of codes) expect(code.includes('KEEPFIRST_KEY')).toBe(keyed)
    }
    const addresses = examplesOf('http://localhost:8080', callOf(VALIDATE_EXAMPLE.request))
    expect(addresses.map(({ language }) => language)).toEqual(['curl', 'javascript', 'python', 'typescript'])
    for (const { code } of addresses) expect(code).toContain('KEEPFIRST_KEY')
  })
})
