import type { DedupeAnswer, ErrorBody, ValidateAnswer } from '@keepfirst/protocol'

/** Parses an answer; undefined when the text is not the expected answer. */
export type ReadAnswer<Answer> = (text: string) => Answer | undefined

type Members = Readonly<Record<string, unknown>>

/** Reads an answer whose result is a list of texts. */
export function readStringsAnswer(text: string): DedupeAnswer<string[]> | undefined {
  return readDedupeAnswer(text, (result) => Array.isArray(result) && result.every((line) => typeof line === 'string'))
}

/** Reads an answer whose result is one text. */
export function readStringAnswer(text: string): DedupeAnswer<string> | undefined {
  return readDedupeAnswer(text, (result) => typeof result === 'string')
}

/**
 * Reads an answer whose result is an array. The item type is the caller's assertion: the items are among those that it
 * sent.
 */
export function readArrayAnswer<Item>(text: string): DedupeAnswer<Item[]> | undefined {
  return readDedupeAnswer(text, (result): result is Item[] => Array.isArray(result))
}

/** Reads such an answer with the array as text, so that no number in it passes through JavaScript. */
export function readArrayTextAnswer(text: string): DedupeAnswer<string> | undefined {
  const [, result, kept, removed] = /^\{"result":(\[.*\]),"kept":(\d+),"removed":(\d+)\}$/s.exec(text) ?? []
  return result === undefined ? undefined : { result, kept: Number(kept), removed: Number(removed) }
}

/** Reads the verdicts on email addresses. */
export function readValidateAnswer(text: string): ValidateAnswer | undefined {
  const answer = readJson(text)
  return isValidateAnswer(answer) ? answer : undefined
}

const COUNTS = ['limit', 'units', 'used', 'windowSeconds', 'retryAfter'] as const

/**
 * The members of an error body (specification 2.4) that have the right type; without an error body, a generic message.
 */
export function readErrorBody(response: Response, text: string): ErrorBody {
  const body = readJson(text)
  const members: Members = isObject(body) ? body : {}
  const counts = COUNTS.map((name) => [name, members[name]] as const).filter(([, value]) => isCount(value))
  return {
    error:
      typeof members.error === 'string' ? members.error : `HTTP status ${response.status} without an error message`,
    ...Object.fromEntries(counts),
    ...retryAfterHeader(response),
    ...(typeof members.resets === 'string' ? { resets: members.resets } : {}),
  }
}

/** Browsers hide this header across origins; in that case only the body's `retryAfter` counts. */
function retryAfterHeader(response: Response): { retryAfter?: number } {
  const value = response.headers.get('Retry-After') ?? ''
  return /^\d{1,9}$/.test(value) ? { retryAfter: Number(value) } : {}
}

function readDedupeAnswer<Result>(
  text: string,
  isResult: (result: unknown) => result is Result,
): DedupeAnswer<Result> | undefined {
  const answer = readJson(text)
  if (!isObject(answer)) return undefined
  const { result, kept, removed } = answer
  return isResult(result) && isCount(kept) && isCount(removed) ? { result, kept, removed } : undefined
}

function isValidateAnswer(answer: unknown): answer is ValidateAnswer {
  return isObject(answer) && Array.isArray(answer.results) && isObject(answer.summary)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}
