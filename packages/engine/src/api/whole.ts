import { seedWord } from '../core/seed.ts'
import { escapeLoneSurrogates } from '../core/surrogates.ts'
import type { Question } from '../modes/index.ts'
import { JSON_ITEMS, type JsonOptions, readItems } from '../modes/json.ts'
import { LINES, type LinesOptions, readLines } from '../modes/lines.ts'
import type { RequestData } from '../modes/mode.ts'
import { ROWS, type RowsOptions, readRows } from '../modes/rows.ts'
import { type AnswerOptions, answerIn } from '../request/answer-in.ts'
import { billedRows, readRequest } from '../request/parse.ts'
import { inSpace } from '../request/threads.ts'
import { checkedBytes } from './bytes.ts'
import { ownSeed } from './seed.ts'

/** The result of deduplicating a list. */
export interface Deduped<Result> {
  readonly result: Result
  /** Entries in the result, not counting a header. */
  readonly kept: number
  /** Duplicates of an earlier entry. */
  readonly removed: number
  /**
   * For each entry: its own index if it is kept, that of its survivor if it is a duplicate, -1 if it was dropped for
   * another reason.
   */
  readonly survivorOf: Int32Array
}

/** Text, or UTF-8 bytes; invalid bytes are compared as they are. */
export type Text = string | Uint8Array

/**
 * Removes duplicate lines, keeping the first of each, in order. Lines end at `\r\n`, `\n` or `\r`; a break at the very
 * end starts one more, empty line.
 * @throws NoMemory when the text and its keys do not fit
 * @throws TypeError when the list or an option's value is not permitted
 */
export function dedupeLines(text: Text, options: LinesOptions = {}): Deduped<string[]> {
  const deduped = dedupe(textOf('lines', text, readLines), LINES.ask(options))
  const lines: unknown = JSON.parse(deduped.result)
  return { ...deduped, result: Array.isArray(lines) ? lines.map(String) : [] }
}

/**
 * Removes duplicate rows of a CSV. The result is CSV too: rows joined by `\n`, quoted where necessary. With `fuzzy`,
 * similar rows count as duplicates and the result is a promise, because the matcher is loaded on first use.
 * @throws NoMemory when the text and its keys do not fit
 * @throws TypeError at once when the list or an option's value is not permitted
 */
export function dedupeRows(csv: Text, options: RowsOptions & { fuzzy: true }): Promise<Deduped<string>>
export function dedupeRows(csv: Text, options?: RowsOptions & { fuzzy?: false }): Deduped<string>
export function dedupeRows(csv: Text, options: RowsOptions = {}): Deduped<string> | Promise<Deduped<string>> {
  const question = ROWS.ask(options)
  const data = textOf('rows', csv, readRows)
  return question.options.fuzzy ? dedupeFuzzy(data, question, typeof csv === 'string') : csvOf(dedupe(data, question))
}

/**
 * Removes duplicate items from the text of a JSON array; survivors keep every digit, escape and member. Only a lone
 * surrogate that is not escaped comes back as an escape.
 * @throws NotJson when the text is not a JSON array
 * @throws NoMemory when the text and its keys do not fit
 * @throws TypeError when the list or an option's value is not permitted
 */
export function dedupeJson(json: Text, options: JsonOptions = {}): Deduped<string> {
  const text = typeof json !== 'string' || json.isWellFormed() ? json : escapeLoneSurrogates(json)
  return dedupe(
    inSpace(undefined, (space) => readItems(space, bytesOf(text))),
    JSON_ITEMS.ask(options),
  )
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const OPENING = '{"result":'

function textOf(mode: 'lines' | 'rows', text: Text, read: typeof readLines): RequestData {
  if (typeof text !== 'string' || text.isWellFormed()) return inSpace(undefined, (space) => read(space, bytesOf(text)))
  // UTF-8 cannot represent lone surrogates; the escapes of a request can.
  const data = readRequest(encoder.encode(`{"mode":"${mode}","data":${JSON.stringify(text)}}`))?.data
  if (data === undefined) throw new Error('the request made from the text cannot be parsed')
  return data
}

/** Bytes of our own: `slice` would not copy a Buffer of Node.js, whose memory other Buffers may share. */
function bytesOf(text: Text): Uint8Array<ArrayBuffer> {
  return typeof text === 'string'
    ? encoder.encode(text)
    : new Uint8Array(checkedBytes(text, 'the list must be a string or a Uint8Array'))
}

type FuzzyOptions = Omit<AnswerOptions, 'survivorOf'>

const NO_MATCHER: FuzzyOptions = {
  judgeFuzzyKeys() {
    throw new TypeError('the matcher is not loaded')
  },
  hasSurrogates: false,
}

function dedupe(data: RequestData, question: Question, fuzzy: FuzzyOptions = NO_MATCHER): Deduped<string> {
  const survivorOf = new Int32Array(billedRows(data, question))
  const { body, kept, removed } = inSpace(ownSeed(), (space) =>
    answerIn(space, data, question, { ...fuzzy, survivorOf }),
  )
  const closing = `,"kept":${kept},"removed":${removed}}`
  return {
    result: decoder.decode(body.subarray(OPENING.length, body.length - closing.length)),
    kept,
    removed,
    survivorOf,
  }
}

async function dedupeFuzzy(data: RequestData, question: Question, hasSurrogates: boolean): Promise<Deduped<string>> {
  const { judgeNormalized } = await import('../fuzzy/index.ts')
  const judgeFuzzyKeys: FuzzyOptions['judgeFuzzyKeys'] = (keys, threshold) =>
    judgeNormalized(keys, threshold, undefined, seedWord(ownSeed()))
  return csvOf(dedupe(data, question, { judgeFuzzyKeys, hasSurrogates }))
}

function csvOf(deduped: Deduped<string>): Deduped<string> {
  return { ...deduped, result: String(JSON.parse(deduped.result)) }
}
