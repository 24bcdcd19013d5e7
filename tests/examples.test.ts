import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { DEDUPE_EXAMPLES, type Mode, VALIDATE_EXAMPLE } from '@keepfirst/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bodyOf,
  callOf,
  type ExampleCall,
  examplesOf,
  KEY_VARIABLE,
  type Language,
  REQUEST_FILE,
} from '../packages/web/src/examples/examples.ts'
import { folderOfProgram } from './support/local.ts'
import { COMMAND, REPOSITORY, type RunningServer, removeFolder, startServer } from './support/server.ts'

/*
 * Runs every example that the pages show with a real server, in the language that it is written in.
 */

const run = promisify(execFile)
const LANGUAGES: readonly Language[] = ['curl', 'javascript', 'python', 'typescript', 'local']

let server: RunningServer
let token: string
let folder: string
let javaScript: ChildProcess

beforeAll(async () => {
  server = await startServer()
  token = (await server.key('examples@example.com')).token
  folder = await mkdtemp(join(tmpdir(), 'keepfirst-examples-'))
  await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'run.mjs'), RUN_JAVASCRIPT)
  javaScript = fork('./run.mjs', { cwd: folder, env: { ...process.env, [KEY_VARIABLE]: token }, execArgv: [] })
})
afterAll(async () => {
  javaScript.kill()
  await server.stop()
  await removeFolder(server.folder)
  await removeFolder(folder)
})

/** Imports one example after another, because most of the time of each is the start of Node.js. Prints JSON. */
const RUN_JAVASCRIPT = `
let printed = ''
console.log = (it) => (printed += typeof it === 'string' ? it : JSON.stringify(it))
let count = 0
process.on('message', async (file) => {
  printed = ''
  const error = await import(\`\${file}?\${count++}\`).then(() => undefined, String)
  process.send({ printed, error })
})`
/** Makes Python print JSON, so that outputs can be compared. */
const PRINT_PYTHON = `import builtins, json, sys
builtins.print = lambda it: sys.stdout.write(it if isinstance(it, str) else json.dumps(it))
exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec"))`

/** Runs an example; returns its output. */
async function printed(language: Language, code: string): Promise<string> {
  const env = {
    ...process.env,
    [KEY_VARIABLE]: token,
    PATH: `${folderOfProgram(COMMAND)}${delimiter}${process.env.PATH}`,
  }
  const ending = { curl: 'sh', javascript: 'mjs', python: 'py', typescript: 'mjs', local: 'sh' }[language]
  const file = join(folder, `${language}.${ending}`)
  await writeFile(file, code)
  if (language === 'javascript' || language === 'typescript') return printedByModule(file)
  const [program, ...args] = language === 'python' ? ['python3', '-c', PRINT_PYTHON, file] : ['sh', file]
  const { stdout } = await run(program, args, { env, cwd: folder })
  return stdout
}

async function printedByModule(file: string): Promise<string> {
  javaScript.send(file)
  const [{ printed, error }] = await once(javaScript, 'message')
  if (error !== undefined) throw new Error(error)
  return printed
}

async function printedBy(call: ExampleCall, language: Language): Promise<string> {
  const example = examplesOf(server.baseUrl, call).find((each) => each.language === language)
  return await printed(language, example?.code.replace('curl ', 'curl --silent --show-error ') ?? '')
}

async function expectRuns(call: ExampleCall, language: Language, answer: unknown): Promise<void> {
  const stdout = await printedBy(call, language)
  expect(language === 'local' ? stdout : JSON.parse(stdout)).toEqual(answer)
}

interface Case {
  readonly what: string
  readonly mode: Mode
  readonly text: string
  readonly options?: { readonly [name: string]: unknown }
  readonly keyed?: boolean
  readonly answer: { readonly result: unknown; readonly kept: number; readonly removed: number }
  /** What the command line prints for the same list. */
  readonly local: string
}

const QUOTES = `it's "quoted" $HOME \`id\` \\n`
const CASES: readonly Case[] = [
  {
    what: 'lines',
    mode: 'lines',
    text: `${QUOTES}\nü😀\n${QUOTES}`,
    answer: { result: [QUOTES, 'ü😀'], kept: 2, removed: 1 },
    local: `${QUOTES}\nü😀`,
  },
  {
    what: 'lines, every option',
    mode: 'lines',
    text: ' a\nA\n\nb',
    options: { trim: true, ignoreCase: true, dropEmpty: true },
    answer: { result: ['a', 'b'], kept: 2, removed: 1 },
    local: 'a\nb',
  },
  {
    what: 'rows',
    mode: 'rows',
    text: 'id,n\n1,"a,b"\n1,"a,b"\n2,x',
    answer: { result: 'id,n\n1,"a,b"\n2,x', kept: 2, removed: 1 },
    local: 'id,n\n1,"a,b"\n2,x',
  },
  {
    what: 'rows, by columns, without header or case',
    mode: 'rows',
    text: '1,a,x\n2,A,y\n3,b,z',
    options: { keyColumns: [1], hasHeader: false, caseSensitive: false },
    answer: { result: '1,a,x\n3,b,z', kept: 2, removed: 1 },
    local: '1,a,x\n3,b,z',
  },
  {
    what: 'rows, fuzzy',
    mode: 'rows',
    text: 'name\nJohn Smyth\nSmith John\nMary Jones',
    options: { fuzzy: true, threshold: 0.87 },
    keyed: true,
    answer: { result: 'name\nJohn Smyth\nMary Jones', kept: 2, removed: 1 },
    local: 'name\nJohn Smyth\nMary Jones',
  },
  {
    what: 'JSON',
    mode: 'json',
    text: `["it's","it's",1]`,
    answer: { result: ["it's", 1], kept: 2, removed: 1 },
    local: `["it's",1]`,
  },
  {
    what: 'JSON, by a path',
    mode: 'json',
    text: '[{"user":{"id":1},"n":"ü\\n"},{"user":{"id":1}},{"user":{"id":2}}]',
    options: { key: 'user.id' },
    answer: { result: [{ user: { id: 1 }, n: 'ü\n' }, { user: { id: 2 } }], kept: 2, removed: 1 },
    local: '[{"user":{"id":1},"n":"ü\\n"},{"user":{"id":2}}]',
  },
]

/** What the command line keeps of a file, and the duplicate of the first item that the file ends with. */
const JSON_FILES: readonly { what: string; kept: string; again: string; result: readonly unknown[] }[] = [
  {
    what: 'one value per line, and a blank line',
    kept: '{"id":1}\n\n{"id":2}\n',
    again: '{"id":1}\n',
    result: [{ id: 1 }, { id: 2 }],
  },
  {
    what: 'one value per line, after a byte-order mark',
    kept: '\ufeff{"id":1}\n{"id":2}\n',
    again: '{"id":1}\n',
    result: [{ id: 1 }, { id: 2 }],
  },
  {
    what: 'values over several lines, with all line breaks that JSON permits',
    kept: '{\n  "id": 1,\n  "tags": [\n\n    1\n    ,\n    2\n  ]\n}\r\n{"id"\r\n:\n2}\n[\n]\n{\n}\n',
    again: '{"id":1,"tags":[1,2]}\n',
    result: [{ id: 1, tags: [1, 2] }, { id: 2 }, [], {}],
  },
  {
    what: 'values of every kind, and strings that look like other tokens',
    kept: '[1]\n"a,"\n"["\n":"\n",b"\n"]"\n"a\\nb"\n"\u2028\u0085"\n-1.5e3\n \n0\n\ttrue \nfalse\nnull\n""\n',
    again: '[ 1 ]\n',
    result: [[1], 'a,', '[', ':', ',b', ']', 'a\nb', '\u2028\u0085', -1500, 0, true, false, null, ''],
  },
  {
    what: 'an array over several lines, after a byte-order mark',
    kept: '\ufeff[\n{"id":1},\n{"id":2}]',
    again: ',{"id":1}]',
    result: [{ id: 1 }, { id: 2 }],
  },
]

describe.each(LANGUAGES)('examples run: %s', (language) => {
  test.each(CASES)('$what', async ({ mode, text, options = {}, keyed = false, answer, local }) => {
    const call: ExampleCall = { mode, options, keyed, data: { from: 'example', text } }
    await expectRuns(call, language, language === 'local' ? local : expectedOf(language, mode, answer))
  })

  test.each(CASES)('$what, from a file', async ({ mode, text, options = {}, keyed = false, answer, local }) => {
    await writeFile(join(folder, "the list's.txt"), text)
    await writeFile(join(folder, REQUEST_FILE), bodyOf({ mode, options }, text))
    const call: ExampleCall = { mode, options, keyed, data: { from: 'file', name: "the list's.txt" } }
    await expectRuns(call, language, language === 'local' ? local : expectedOf(language, mode, answer))
  })

  test.each(JSON_FILES)('JSON from a file: $what', async ({ kept, again, result }) => {
    const isJsonLines = !again.startsWith(',')
    await writeFile(join(folder, 'events.json'), kept.replace(/\]?$/, again))
    const items = result.map((item) => JSON.stringify(item))
    await writeFile(join(folder, REQUEST_FILE), bodyOf({ mode: 'json', options: {} }, `[${items},${items[0]}]`))
    const data = { from: 'file', name: 'events.json', isJsonLines } as const
    const call: ExampleCall = { mode: 'json', options: {}, keyed: false, data }
    const stdout = await printedBy(call, language)
    if (language === 'local') return expect(stdout).toBe(kept)
    const answer: { result: unknown } = JSON.parse(stdout)
    const survivors: unknown = typeof answer.result === 'string' ? JSON.parse(answer.result) : answer.result
    return expect({ ...answer, result: survivors }).toEqual({ result, kept: result.length, removed: 1 })
  })

  test('rows with semicolons from a file', async () => {
    await writeFile(join(folder, 'export.csv'), 'id;price\n1;1,5\n2;2,5\n1;1,5\n')
    await writeFile(
      join(folder, REQUEST_FILE),
      bodyOf({ mode: 'rows', options: { keyColumns: [1] } }, 'id,price\n1,"1,5"\n2,"2,5"\n1,"1,5"'),
    )
    const data = { from: 'request', name: 'export.csv', separator: ';' } as const
    const call: ExampleCall = { mode: 'rows', options: { keyColumns: [1] }, keyed: false, data }
    const answer = { result: 'id,price\n1,"1,5"\n2,"2,5"', kept: 2, removed: 1 }
    await expectRuns(call, language, language === 'local' ? 'id;price\n1;1,5\n2;2,5\n' : answer)
  })
})

/** In TypeScript, the result of JSON is text, as is the input. */
function expectedOf(language: Language, mode: Mode, answer: Case['answer']): unknown {
  return language === 'typescript' && mode === 'json' ? { ...answer, result: JSON.stringify(answer.result) } : answer
}

describe('examples of the API reference', () => {
  const calls = [...DEDUPE_EXAMPLES, VALIDATE_EXAMPLE].flatMap(({ name, request }) =>
    examplesOf('', callOf(request))
      .filter(({ language }) => language !== 'local')
      .map(({ language }) => ({ name, language, request })),
  )

  test.each(calls)('$name in $language prints the answer of the server', async ({ language, request }) => {
    const call = callOf(request)
    const path = 'emails' in request ? '/api/validate' : '/api/dedupe'
    const { json } = await server.call({ path, body: request, token })
    const stdout = await printed(
      language,
      examplesOf(server.baseUrl, call)
        .find((each) => each.language === language)
        ?.code.replace('curl ', 'curl --silent --show-error ') ?? '',
    )
    const printedAnswer: unknown = JSON.parse(stdout)
    expect(printedAnswer).toMatchObject(
      'mode' in request && request.mode === 'json' && language === 'typescript' ? { kept: 2 } : Object(json),
    )
  })
})

test('numbers keep every digit in every language', async () => {
  const text = '[9007199254740993,9007199254740992,1e400]'
  for (const language of LANGUAGES) {
    const call: ExampleCall = { mode: 'json', options: {}, keyed: false, data: { from: 'example', text } }
    const code = examplesOf(server.baseUrl, call).find((each) => each.language === language)?.code ?? ''
    expect(await printed(language, code)).toContain('[9007199254740993,9007199254740992,1e400]')
  }
})

test('a refusal ends an example with the error message of the service', async () => {
  const call: ExampleCall = {
    mode: 'rows',
    options: { fuzzy: true },
    keyed: false,
    data: { from: 'example', text: 'a' },
  }
  for (const language of ['javascript', 'python', 'typescript'] as const) {
    const code = examplesOf(server.baseUrl, call).find((each) => each.language === language)?.code ?? ''
    await expect(printed(language, code)).rejects.toThrow('fuzzy matching requires an API key')
  }
})
