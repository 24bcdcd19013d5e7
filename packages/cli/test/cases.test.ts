import { siftLines } from '@keepfirst/engine/stream'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Case, KIN, REPORTED } from '../../../tests/support/cases.ts'
import { Workbench } from '../../../tests/support/local.ts'
import { LOCAL_COMMAND } from '../../../tests/support/server.ts'
import { readCsv, writeCsv } from '../../engine/test/reference/exact.ts'
import { readValue } from '../../engine/test/reference/json.ts'
import { addLocalCommands } from '../src/commands.ts'
import { UserError } from '../src/errors.ts'
import { printAside } from '../src/print.ts'
import { run } from '../src/run.ts'

vi.mock('../src/print.ts', { spy: true })
const said = vi.mocked(printAside).mockImplementation(() => {})

/*
 * The cases of the API, run through the command line: same counts, same survivors.
 */

interface Request {
  mode: 'lines' | 'rows' | 'json'
  data: unknown
  options?: Record<string, unknown>
}

/** The body's `data` as it is written there, digit for digit. */
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
        ...(threshold === undefined ? [] : ['--threshold', String(threshold)]),
      ]
    case 'json':
      return typeof key === 'string' ? ['--key', key] : []
  }
}

/** The API's lines, each ended: on the command line a final line break starts no further line. */
function asFile({ mode, data }: Request, body: string): string {
  if (mode === 'json') return dataText(body)
  return mode === 'lines' ? `${data}${String(data).endsWith('\r') ? '\r' : '\n'}` : String(data)
}

/** Survivors in the API's form, values in their canonical form. */
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

/** A command with its flags, in this process, its output in a file. */
async function keepfirst(bench: Workbench, input: string, ...args: string[]): Promise<string> {
  const program = new Command('keepfirst')
  addLocalCommands(program)
  const [command = '', ...flags] = args
  await program.parseAsync([command, bench.write('input', input), '--output', bench.path('output'), ...flags], {
    from: 'user',
  })
  return bench.read('output').toString()
}

/** A lone surrogate has no bytes: a file can't hold it but as an escape. */
const runnable = [...REPORTED, ...KIN].flatMap(({ id, what, body, expect: answer }) => {
  if (answer.status !== 200 || body === undefined) return []
  const request: Request = JSON.parse(body)
  if (request.mode !== 'json' && /\p{Surrogate}/u.test(String(request.data))) return []
  return [{ id, what, body, request, answer }]
})

describe('the command line answers as the API does', () => {
  let bench: Workbench
  beforeAll(() => {
    bench = new Workbench(LOCAL_COMMAND)
  })
  afterAll(() => bench.clear())

  test('there are cases to run', () => {
    expect(runnable.length).toBeGreaterThan(60)
  })

  test.each(runnable)('$id: $what', async ({ body, request, answer }) => {
    const run = keepfirst(bench, asFile(request, body), request.mode, '--count', ...flagsOf(request))
    const output = await run.catch((fault: unknown) => fault)
    if (output instanceof UserError) {
      // The one difference: a key that nothing has is a mistake here; in the API all entries share it.
      expect(output.message).toMatch(/^no row has column|names nothing in any of/)
      expect(answer.kept).toBe(1)
      return
    }
    expect(JSON.parse(String(said.mock.lastCall?.[0]))).toMatchObject({ kept: answer.kept, removed: answer.removed })
    const survivors = expected(request, answer)
    if (survivors !== undefined) expect(survivorsIn(String(output), request.mode)).toEqual(survivors)
  })
})

test('an item beyond the bound ends the work', async () => {
  const bench = new Workbench(LOCAL_COMMAND)
  try {
    const file = bench.write('long', `a\n${'x'.repeat(2_000_000)}\n`)
    const work = run({
      form: 'lines',
      files: [file],
      flags: { output: bench.path('output') },
      deduplicator: (stream) =>
        siftLines({ trim: false, ignoreCase: false, dropEmpty: false }, { ...stream, memoryBytes: 4 * 1_048_576 }),
    })
    await expect(work).rejects.toThrow(`${file}: item 2 is longer than 1 MB, the most that one may take`)
  } finally {
    bench.clear()
  }
})
