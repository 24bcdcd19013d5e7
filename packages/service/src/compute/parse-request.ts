import { billedRows, type Question, type RequestData, readRequest } from '@keepfirst/engine/request'
import { completeOptions, type Mode, type Refusal, refuse, toQuestion } from '@keepfirst/protocol'
import { checkOptions } from './options.ts'

/** A parsed and validated request: a plain value with one buffer, which can be passed to any thread. */
export interface ParsedRequest {
  readonly kind: 'parsed'
  /** With all defaults filled in. */
  readonly question: Question
  readonly data: RequestData
  /** Input rows as they are billed (specification 8.1). */
  readonly rows: number
}

/**
 * Parses the body of `POST /api/dedupe`, consuming its buffer, and finds every 400 in the order of specification 4.1,
 * except for checks that depend on the caller. Pure: the same on the event loop and in a worker thread.
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

/** Whether rows are compared by similarity, which may take minutes. */
export function isFuzzy({ question }: ParsedRequest): boolean {
  return question.mode === 'rows' && question.options.fuzzy
}

function readQuestion(mode: Mode, given: string | undefined): Question | Refusal {
  if (given === undefined) return defaultQuestion(mode)
  const options = checkOptions(mode, given)
  return options.kind === 'refusal' ? options : toQuestion(mode, options.values)
}

const defaults = new Map<Mode, Question>()

/** For the many requests without options. Created once, because that takes longer than deduplicating a small list. */
function defaultQuestion(mode: Mode): Question {
  const known = defaults.get(mode)
  if (known !== undefined) return known
  const question = toQuestion(mode, completeOptions(mode, {}))
  defaults.set(mode, question)
  return question
}

function isQuestion(question: Question | Refusal): question is Question {
  return 'mode' in question
}
