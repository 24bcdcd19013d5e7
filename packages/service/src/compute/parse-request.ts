import {
  fuzzyKeys,
  itemsOf,
  type JsonValue,
  judgeItems,
  judgeLines,
  judgeRows,
  kindOf,
  readLines,
  readRows,
  type ShouldStop,
  stringOf,
  type Verdicts,
  writeItems,
  writeLines,
  writeRows,
} from '@keepfirst/engine'
import { judgeFuzzy } from '@keepfirst/engine/fuzzy'
import { isMode, type Mode, modeSpec, type OptionsOf, type Refusal, refuse, unreachable } from '@keepfirst/protocol'
import { readBodyMembers } from './json.ts'
import { readOptions } from './options.ts'

/** What a request asks for; nothing is left to default. */
export type Question = { [M in Mode]: { readonly mode: M; readonly options: OptionsOf<M> } }[Mode]

/** A request that has been read and validated: a plain value with one buffer, which any thread can take. */
export interface ParsedRequest {
  readonly kind: 'parsed'
  readonly question: Question
  /** Input rows as they are billed (specification 8.1). */
  readonly rows: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The answer to a deduplication: the whole JSON body, and what the books want to know. */
export interface Ran {
  readonly kind: 'ran'
  readonly body: Uint8Array<ArrayBuffer>
  readonly kept: number
  readonly removed: number
}

export function isFuzzy({ question }: ParsedRequest): boolean {
  return question.mode === 'rows' && question.options.fuzzy
}

const MEMBERS: ReadonlySet<string> = new Set(['mode', 'data', 'options'])

/**
 * Reads the body of `POST /api/dedupe`. Every 400 is found here, in the order of specification 4.1; what depends on
 * the caller as well is not. Pure: the same in line and in a worker thread.
 */
export function parseRequest(body: ArrayBuffer): ParsedRequest | Refusal {
  const members = readBodyMembers(body, MEMBERS)
  if (members === undefined) return refuse.unparseableBody()
  const mode = modeOf(members.get('mode'))
  if (mode === undefined) return refuse.badMode()
  const data = members.get('data')
  if (data === undefined || kindOf(data) !== modeSpec(mode).data.type) return refuse.wrongData(mode)
  const question = readQuestion(mode, members.get('options'))
  if (question.kind === 'refusal') return question
  return { kind: 'parsed', question, rows: rowsOf(question, data), bytes: new Uint8Array(body) }
}

function modeOf(value: JsonValue | undefined): Mode | undefined {
  if (value === undefined || kindOf(value) !== 'string') return undefined
  const name = stringOf(value)
  return isMode(name) ? name : undefined
}

function readQuestion(mode: Mode, given: JsonValue | undefined): (Question & { kind: 'question' }) | Refusal {
  switch (mode) {
    case 'lines': {
      const options = readOptions(mode, given)
      return options.kind === 'refusal' ? options : { kind: 'question', mode, options: options.values }
    }
    case 'rows': {
      const options = readOptions(mode, given)
      return options.kind === 'refusal' ? options : { kind: 'question', mode, options: options.values }
    }
    case 'json': {
      const options = readOptions(mode, given)
      return options.kind === 'refusal' ? options : { kind: 'question', mode, options: options.values }
    }
    default:
      return unreachable(mode)
  }
}

function rowsOf(question: Question, data: JsonValue): number {
  switch (question.mode) {
    case 'lines':
      return readLines(stringOf(data), { trim: false }).count
    case 'rows':
      return readRows(stringOf(data), question.options).count
    case 'json':
      return itemsOf(data).count
    default:
      return unreachable(question)
  }
}

/**
 * Deduplicates. Throws the engine's `Stopped` once `shouldStop` answers true. `seed` is 32 random bits for the
 * hashes that a caller's data feeds; no verdict depends on it.
 */
export function runRequest({ question, bytes }: ParsedRequest, seed: number, shouldStop: ShouldStop): Ran {
  const data = readBodyMembers(bytes, MEMBERS)?.get('data')
  if (data === undefined) throw new Error('a body that was valid is not when it is read again')
  switch (question.mode) {
    case 'lines': {
      const lines = readLines(stringOf(data), question.options)
      const verdicts = judgeLines(lines, question.options, shouldStop)
      return answer(JSON.stringify(writeLines(lines, verdicts)), verdicts)
    }
    case 'rows': {
      const { options } = question
      const rows = readRows(stringOf(data), options)
      const verdicts = options.fuzzy
        ? judgeFuzzy(fuzzyKeys(rows, options.keyColumns), options.threshold, shouldStop, seed)
        : judgeRows(rows, options, shouldStop)
      return answer(JSON.stringify(writeRows(rows, verdicts)), verdicts)
    }
    case 'json': {
      const items = itemsOf(data)
      const verdicts = judgeItems(items, question.options, shouldStop)
      return answer(writeItems(items, verdicts), verdicts)
    }
    default:
      return unreachable(question)
  }
}

/** Specification 2.3; `result` is JSON text. */
function answer(result: string, { kept, removed }: Verdicts): Ran {
  const body = new TextEncoder().encode(`{"result":${result},"kept":${kept},"removed":${removed}}`)
  return { kind: 'ran', body, kept, removed }
}
