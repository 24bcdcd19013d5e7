import { siftLines } from '@keepfirst/engine/stream'
import { reportFormat } from '@keepfirst/protocol'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Case, RELATED, REPORTED } from '../../../tests/support/cases.ts'
import { Sandbox } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'
import { readCsv, writeCsv } from '../../engine/test/reference/exact.ts'
import { readValue } from '../../engine/test/reference/json.ts'
import { addLocalCommands } from '../src/commands.ts'
import { UserError } from '../src/errors.ts'
import { printError } from '../src/print.ts'
import { run } from '../src/run.ts'

vi.mock('../src/print.ts', { spy: true })
const printed = vi.mocked(printError).mockImplementation(() => {})

/*
 * The cases of the API, run on the command line: the same counts and survivors.
 */

interface Request {
  mode: 'lines' | 'rows' | 'json'
  data: unknown
  options?: Record<string, unknown>
}

/** The source text of the body's member `data`. */
function dataText(body: string): string {
  return readValue(body).members?.findLast(([name]) => name === 'data')?.[1].text ?? ''
}

function flagsOf({ mode, options = {} }: Request): string[] {
  const flag = (name: string, isSet: unknown) => (isSet ? [name] : [])
  const { trim, ignoreCase, dropEmpty, keyColumns, hasHeader, caseSensitive, fuzzy, threshold, key } = options
  switch (mode) {
    case 'lines':
      return [...flag('--trim', trim), ...flag('--ignore-case', ignoreCase), ...flag('--drop-empty', dropEmpty)]
    case 'rows':
      return [
        ...(Array.isArray(keyColumns) && keyColumns.length > 0
          ? ['--key-columns', keyColumns.map((column) => (Number.isFinite(column) ? column : '9'.repeat(400))).join()]
          : []),
        ...flag('--no-header', hasHeader === false),
        ...flag('--ignore-case', caseSensitive === false),
        ...flag('--fuzzy', fuzzy),
        ...(fuzzy && threshold !== undefined ? ['--threshold', String(threshold)] : []),
      ]
    case 'json':
      return typeof key === 'string' ? ['--key', key] : []
  }
}

/** The API's lines as a file: there, a final line break ends the last line instead of starting another one. */
function asFile({ mode, data }: Request, body: string): string {
  if (mode === 'json') return dataText(body)
  return mode === 'lines' ? `${data}${String(data).endsWith('\r') ? '\r' : '\n'}` : String(data)
}

/** Survivors in the API's form, JSON values in their canonical form. */
function survivorsIn(output: string, mode: Request['mode']): unknown {
  switch (mode) {
    case 'lines':
      return output.split(/\r\n|\n|\r/).slice(0, -1)
    case 'rows':
      return writeCsv(readCsv(output))
    case 'json':
      return readValue(output).meaning
  }
}

function expected({ mode }: Request, { result, resultText }: Case['expect']): unknown {
  if (mode !== 'json') return result
  const text = resultText ?? JSON.stringify(result)
  return text === undefined ? undefined : survivorsIn(text, mode)
}

/** Runs a command with flags in this process, with its output in a file. */
async function keepfirst(sandbox: Sandbox, input: string, ...args: string[]): Promise<string> {
  const program = new Command('keepfirst')
  addLocalCommands(program)
  const [command = '', ...flags] = args
  await program.parseAsync([command, sandbox.write('input', input), '--output', sandbox.path('output'), ...flags], {
    from: 'user',
  })
  return sandbox.read('output').toString()
}

/** A file cannot contain a lone surrogate, except as an escape in JSON. */
const runnable = [...REPORTED, ...RELATED].flatMap(({ id, what, body, expect: answer }) => {
  if (answer.status !== 200 || body === undefined) return []
  const request: Request = JSON.parse(body)
  if (request.mode !== 'json' && /\p{Surrogate}/u.test(String(request.data))) return []
  return [{ id, what, body, request, answer }]
})

describe('the command line has the same results as the API', () => {
  let sandbox: Sandbox
  beforeAll(() => {
    sandbox = new Sandbox(LOCAL_COMMAND)
  })
  afterAll(() => sandbox.clear())

  test('there are cases to run', () => {
    expect(runnable.length).toBeGreaterThan(60)
  })

  test.each(runnable)('$id: $what', async ({ body, request, answer }) => {
    const run = keepfirst(sandbox, asFile(request, body), request.mode, '--count', ...flagsOf(request))
    const output = await run.catch((error: unknown) => error)
    if (output instanceof UserError) {
      // The only difference: a key that no entry has is an error here; in the API, all entries are then equal.
      expect(output.message).toMatch(/^no row has column|^the header has no column|names nothing in any of/)
      expect(answer.kept).toBe(1)
      return
    }
    expect(JSON.parse(String(printed.mock.lastCall?.[0]))).toMatchObject({ kept: answer.kept, removed: answer.removed })
    const survivors = expected(request, answer)
    if (survivors !== undefined) expect(survivorsIn(String(output), request.mode)).toEqual(survivors)
  })
})

test('an item that is too long ends the command', async () => {
  const sandbox = new Sandbox(LOCAL_COMMAND)
  try {
    const file = sandbox.write('long', `a\n${'x'.repeat(2_000_000)}\n`)
    const work = run({
      mode: 'lines',
      report: reportFormat('lines'),
      files: [file],
      flags: { output: sandbox.path('output') },
      deduplicator: (stream) =>
        siftLines({ trim: false, ignoreCase: false, dropEmpty: false }, { ...stream, memoryBytes: 4 * 1_048_576 }),
    })
    await expect(work).rejects.toThrow(`${file}: item 2 is longer than 1 MB, the most that one may take`)
  } finally {
    sandbox.clear()
  }
})
