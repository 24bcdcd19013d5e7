import type { DedupeAnswer, JsonOptions, LinesOptions, RowsOptions, ValidateAnswer } from '@keepfirst/protocol'
import {
  type ReadAnswer,
  readJsonAnswer,
  readJsonTextAnswer,
  readLinesAnswer,
  readRowsAnswer,
  readValidateAnswer,
} from './answers.ts'
import { makeCall, type Platform } from './call.ts'
import { sleep } from './ending.ts'

const DEFAULT_TIMEOUT_MS = 120_000

/** Where the service is and who calls. What is not given has a default, `baseUrl` apart. */
export interface KeepfirstOptions extends Partial<Platform> {
  /** The service's base address, such as `http://localhost:8080`. */
  readonly baseUrl: string
  /** Without one the limits of keyless callers apply. */
  readonly apiKey?: string | undefined
  /** The longest that a call may take, waits and further attempts included; default 120,000. */
  readonly timeoutMs?: number | undefined
}

/** What ends one call early. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Instead of the client's own `timeoutMs`. */
  readonly timeoutMs?: number | undefined
}

/**
 * A Keepfirst service. Each method resolves to the service's answer and rejects with a `KeepfirstError`; refusals that
 * pass by themselves are waited out (specification 7).
 */
export class Keepfirst {
  // Private in the language, so that nothing that prints or serialises a client shows the key.
  readonly #apiKey: string | undefined
  readonly #baseUrl: string
  readonly #timeoutMs: number
  readonly #platform: Platform

  constructor(options: KeepfirstOptions) {
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

  /** A text without its duplicate lines; `\r\n`, `\n` and `\r` break lines. */
  async lines(text: string, options: LinesOptions = {}, call: CallOptions = {}): Promise<DedupeAnswer<string[]>> {
    return await this.#post('/api/dedupe', { mode: 'lines', data: text, options }, readLinesAnswer, call)
  }

  /** A CSV text without its duplicate rows, by whole rows or by `keyColumns`, exactly or fuzzily. */
  async rows(csv: string, options: RowsOptions = {}, call: CallOptions = {}): Promise<DedupeAnswer<string>> {
    return await this.#post('/api/dedupe', { mode: 'rows', data: csv, options }, readRowsAnswer, call)
  }

  /**
   * Items without their duplicates, by the whole item or by `key`. They go through `JSON.stringify` and `JSON.parse`:
   * where a number past 2^53 or the order of numeric member names matters, use `jsonText`.
   */
  async json<Item>(
    items: readonly Item[],
    options: JsonOptions = {},
    call: CallOptions = {},
  ): Promise<DedupeAnswer<Item[]>> {
    return await this.#post('/api/dedupe', { mode: 'json', data: items, options }, readJsonAnswer<Item>, call)
  }

  /** The text of a JSON array without its duplicate items; each survivor is the very text that it was. */
  async jsonText(array: string, options: JsonOptions = {}, call: CallOptions = {}): Promise<DedupeAnswer<string>> {
    // Not only a courtesy: a text such as `[1],"data":[2]` would make another request than the one that was meant.
    if (!Array.isArray(JSON.parse(array))) throw new TypeError('jsonText expects the text of a JSON array')
    const body = `{"mode":"json","data":${array},"options":${JSON.stringify(options)}}`
    return await this.#postText('/api/dedupe', body, readJsonTextAnswer, call)
  }

  /** A hygiene verdict for each address, in their order. Needs a key. */
  async validate(emails: readonly string[], call: CallOptions = {}): Promise<ValidateAnswer> {
    return await this.#post('/api/validate', { emails }, readValidateAnswer, call)
  }

  #post<Answer>(path: string, request: object, readAnswer: ReadAnswer<Answer>, call: CallOptions): Promise<Answer> {
    return this.#postText(path, JSON.stringify(request), readAnswer, call)
  }

  #postText<Answer>(path: string, body: string, readAnswer: ReadAnswer<Answer>, call: CallOptions): Promise<Answer> {
    const headers = {
      'Content-Type': 'application/json',
      ...(this.#apiKey === undefined ? {} : { Authorization: `Bearer ${this.#apiKey}` }),
    }
    const timeoutMs = call.timeoutMs === undefined ? this.#timeoutMs : checkedTimeoutMs(call.timeoutMs)
    const { signal } = call
    return makeCall({ baseUrl: this.#baseUrl, path, headers, body, readAnswer, timeoutMs, signal }, this.#platform)
  }
}

/** Here and not in `fetch`, whose own complaint about a header would show the key. */
function checkedKey(apiKey: string | undefined): string | undefined {
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey is empty, or has white space or other characters that no key has')
  return apiKey
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new TypeError('baseUrl must be an http or https address without user name, query and fragment')
  return url.href.replace(/\/+$/, '')
}

function checkedTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new RangeError('timeoutMs must be more than 0')
  return timeoutMs
}
