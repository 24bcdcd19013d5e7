import { billedRows, type Question, type RequestData, readRequest } from '@keepfirst/engine/request'
import { completeOptions, type Mode, type Refusal, refuse, toQuestion } from '@keepfirst/protocol'
import { readOptions } from './options.ts'

/** A request that has been read and validated: a plain value with one buffer, which any thread can take. */
export interface ParsedRequest {
  readonly kind: 'parsed'
  /** Nothing is left to default. */
  readonly question: Question
  readonly data: RequestData
  /** Input rows as they are billed (specification 8.1). */
  readonly rows: number
}

/**
 * Reads the body of `POST /api/dedupe`, whose buffer is used up. Every 400 is found here, in the order of
 * specification 4.1; what depends on the caller as well is not. Pure: the same in line and in a worker thread.
 */
export function parseRequest(body: Uint8Array<ArrayBuffer>): ParsedRequest | Refusal {
  const read = readRequest(body)
  if (read === undefined) return refuse.unparseableBody()
  const { mode, data, optionsText } = read
  if (mode === undefined) return refuse.badMode()
  if (data === undefined) return refuse.wrongData(mode)
  const question = readQuestion(mode, optionsText)
  return isQuestion(question) ? { kind: 'parsed', question, data, rows: billedRows(data, question) } : question
}

export function isFuzzy({ question }: ParsedRequest): boolean {
  return question.mode === 'rows' && question.options.fuzzy
}

/** What most requests ask for: they name no options. Made once, for it takes longer than to judge a small list. */
const DEFAULT_QUESTIONS: { readonly [M in Mode]: Question } = {
  lines: defaultQuestion('lines'),
  rows: defaultQuestion('rows'),
  json: defaultQuestion('json'),
}

function defaultQuestion(mode: Mode): Question {
  return toQuestion(mode, completeOptions(mode, {}))
}

function readQuestion(mode: Mode, given: string | undefined): Question | Refusal {
  if (given === undefined) return DEFAULT_QUESTIONS[mode]
  const options = readOptions(mode, given)
  return options.kind === 'refusal' ? options : toQuestion(mode, options.values)
}

function isQuestion(question: Question | Refusal): question is Question {
  return 'mode' in question
}
