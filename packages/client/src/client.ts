import type { DedupeAnswer, JsonOptions, LinesOptions, Mode, RowsOptions, ValidateAnswer } from '@keepfirst/protocol'
import {
  type ReadAnswer,
  readArrayAnswer,
  readArrayTextAnswer,
  readStringAnswer,
  readStringsAnswer,
  readValidateAnswer,
} from './answers.ts'
import { makeCall, type Platform } from './call.ts'
import { sleep } from './deadline.ts'
import { InvalidInputError } from './errors.ts'
import { type JsonCompatible, writeJson } from './json-input.ts'
import { readRows, writeLines, writeRows } from './tabular-input.ts'

export type { JsonOptions, LinesOptions, RowsOptions }

const DEFAULT_TIMEOUT_MS = 120_000

/** Where the service is, and who is calling. Everything but `baseUrl` has a default. */
export interface KeepfirstOptions extends Partial<Platform> {
  /** The service's base address, such as `http://localhost:8080`. */
  readonly baseUrl: string
  /** Without a key, the keyless limits apply. */
  readonly apiKey?: string | undefined
  /** Time limit of a call, including waits and retries, in milliseconds; default 120,000. */
  readonly timeoutMs?: number | undefined
}

/** Limits for a single call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Overrides the client's own `timeoutMs`. */
  readonly timeoutMs?: number | undefined
}

/**
 * A Keepfirst service. Each method resolves to the service's answer. Temporary refusals are retried (specification 7).
 * @throws KeepfirstError when a call fails
 */
export class Keepfirst {
  // A private field, so that printing or serialising a client never reveals the key.
  readonly #apiKey: string | undefined
  readonly #baseUrl: string
  readonly #timeoutMs: number
  readonly #platform: Platform

  /** @throws InvalidInputError when a setting is missing or invalid */
  constructor(options: KeepfirstOptions) {
    if (typeof options !== 'object' || options === null || options.baseUrl === undefined)
      throw new InvalidInputError("new Keepfirst({ baseUrl }) needs the service's address")
    this.#apiKey = checkedKey(options.apiKey)
    this.#baseUrl = checkedBaseUrl(options.baseUrl)
    this.#timeoutMs = checkedTimeoutMs(options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
    this.#platform = {
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      sleep: options.sleep ?? sleep,
      now: options.now ?? (() => performance.now()),
      random: options.random ?? Math.random,
    }
  }

  /**
   * Removes duplicate lines, given as one string (split at `\r\n`, `\n` and `\r`) or as an array of lines.
   * @throws InvalidInputError when a line contains a line break
   */
  async lines(
    lines: string | readonly string[],
    options: LinesOptions = {},
    call: CallOptions = {},
  ): Promise<DedupeAnswer<string[]>> {
    if (Array.isArray(lines) && lines.length === 0) return { result: [], kept: 0, removed: 0 }
    return await this.#dedupe('lines', JSON.stringify(writeLines(lines)), options, readStringsAnswer, call)
  }

  /**
   * Removes duplicate rows, compared whole or by `keyColumns`, exactly or fuzzily. The result is CSV if the input is,
   * and arrays of cells otherwise. The first row is a header unless `hasHeader` is false.
   * @throws InvalidInputError when a cell is not a string
   */
  rows(csv: string, options?: RowsOptions, call?: CallOptions): Promise<DedupeAnswer<string>>
  rows(
    rows: readonly (readonly string[])[],
    options?: RowsOptions,
    call?: CallOptions,
  ): Promise<DedupeAnswer<string[][]>>
  async rows(
    rows: string | readonly (readonly string[])[],
    options: RowsOptions = {},
    call: CallOptions = {},
  ): Promise<DedupeAnswer<string | string[][]>> {
    if (Array.isArray(rows) && rows.length === 0) return { result: [], kept: 0, removed: 0 }
    const answer = await this.#dedupe('rows', JSON.stringify(writeRows(rows)), options, readStringAnswer, call)
    if (typeof rows === 'string') return answer
    const count = answer.kept + (options.hasHeader === false ? 0 : 1)
    return { ...answer, result: readRows(answer.result, count) }
  }

  /**
   * Removes duplicate items, compared whole or by `key`. Items pass through `JSON.stringify` and `JSON.parse`; use
   * `jsonText` where numbers beyond 2^53 or the order of numeric member names matter.
   * @throws InvalidInputError when JSON cannot represent an item
   */
  async json<Item>(
    items: readonly (Item & JsonCompatible<Item>)[],
    options: JsonOptions = {},
    call: CallOptions = {},
  ): Promise<DedupeAnswer<Item[]>> {
    if (!Array.isArray(items)) throw new InvalidInputError('json takes an array of items')
    return await this.#dedupe('json', writeJson(items, 'items'), options, readArrayAnswer<Item>, call)
  }

  /**
   * Removes duplicate items from the text of a JSON array; each survivor keeps its exact text.
   * @throws InvalidInputError when the text is not a JSON array, or has a lone surrogate that is not escaped
   */
  async jsonText(array: string, options: JsonOptions = {}, call: CallOptions = {}): Promise<DedupeAnswer<string>> {
    // This is needed for safety: text such as `[1],"data":[2]` would change the meaning of the request.
    if (!isArrayText(array)) throw new InvalidInputError('jsonText takes the text of a JSON array')
    const lone = array.search(/\p{Surrogate}/u)
    if (lone >= 0) {
      const escaped = `\\u${array.charCodeAt(lone).toString(16)}`
      throw new InvalidInputError(`the lone surrogate at index ${lone} cannot be sent as UTF-8; write it as ${escaped}`)
    }
    return await this.#dedupe('json', array, options, readArrayTextAnswer, call)
  }

  /**
   * Returns a verdict for each address, in order. Needs a key.
   * @throws InvalidInputError when `emails` is not an array of strings
   */
  async validate(emails: readonly string[], call: CallOptions = {}): Promise<ValidateAnswer> {
    if (!Array.isArray(emails)) throw new InvalidInputError('validate takes an array of strings')
    const wrong = emails.findIndex((email) => typeof email !== 'string')
    if (wrong >= 0) throw new InvalidInputError(`emails[${wrong}] is not a string`)
    return await this.#post('/api/validate', JSON.stringify({ emails }), readValidateAnswer, call)
  }

  #dedupe<Answer>(
    mode: Mode,
    data: string,
    options: object,
    readAnswer: ReadAnswer<Answer>,
    call: CallOptions,
  ): Promise<Answer> {
    if (typeof options !== 'object' || options === null || Array.isArray(options))
      throw new InvalidInputError('options must be an object')
    // An undefined option counts as not given.
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    const body = `{"mode":"${mode}","data":${data},"options":${writeJson(given, 'options')}}`
    return this.#post('/api/dedupe', body, readAnswer, call)
  }

  #post<Answer>(path: string, body: string, readAnswer: ReadAnswer<Answer>, call: CallOptions): Promise<Answer> {
    if (typeof call !== 'object' || call === null) throw new InvalidInputError('call options must be an object')
    const headers = {
      'Content-Type': 'application/json',
      ...(this.#apiKey === undefined ? {} : { Authorization: `Bearer ${this.#apiKey}` }),
    }
    const timeoutMs = call.timeoutMs === undefined ? this.#timeoutMs : checkedTimeoutMs(call.timeoutMs)
    const { signal } = call
    return makeCall({ baseUrl: this.#baseUrl, path, headers, body, readAnswer, timeoutMs, signal }, this.#platform)
  }
}

function isArrayText(text: string): boolean {
  try {
    return typeof text === 'string' && Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

/** Checked here because the error that `fetch` throws for an invalid header would show the key. */
function checkedKey(apiKey: string | undefined): string | undefined {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new InvalidInputError('apiKey is empty, or has white space or other characters that no key has')
  return apiKey
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new InvalidInputError('baseUrl must be an http or https address without user name, query and fragment')
  return url.href.replace(/\/+$/, '')
}

function checkedTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new InvalidInputError('timeoutMs must be more than 0')
  return timeoutMs
}
