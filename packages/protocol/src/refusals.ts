import { MODES, type Mode, modeSpec, type OptionSpec } from './modes.ts'
import { grouped } from './numbers.ts'
import { type BurstLimit, FUZZY_ROWS, type Plan, windowWord } from './plans.ts'
import { unreachable } from './unreachable.ts'
import type { ErrorBody } from './wire.ts'

/**
 * Why a request was not answered with a result: a status and the whole error body (specification 2.4). Plain data, so
 * it can be passed between threads.
 */
export interface Refusal {
  readonly kind: 'refusal'
  readonly status: RefusalStatus
  readonly body: ErrorBody
}

/** Whether an outcome is a refusal rather than the value that a step passes on. */
export function isRefusal(outcome: { readonly kind: string } | Uint8Array): outcome is Refusal {
  return 'kind' in outcome && outcome.kind === 'refusal'
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 431 | 500 | 503

function refusal(status: RefusalStatus, error: string, extra: Omit<ErrorBody, 'error'> = {}): Refusal {
  return { kind: 'refusal', status, body: { error, ...extra } }
}

/** The permitted values of an option, as its error message words them. */
function expected(option: OptionSpec): string {
  switch (option.type) {
    case 'boolean':
      return 'a boolean'
    case 'path':
      return 'a string'
    case 'number':
      return `a number between ${option.minimum} and ${option.maximum}`
    case 'columns':
      return `an array of integers, each ${option.minimum} or greater`
    default:
      return unreachable(option)
  }
}

/**
 * Every refusal with its literal message (specification 7). No other file repeats one.
 */
export const refuse = {
  // 400, in the order in which validation looks for them
  unparseableBody: (): Refusal => refusal(400, 'invalid JSON body'),
  badMode: (): Refusal => refusal(400, `mode must be one of: ${MODES.join(', ')}`),
  wrongData: (mode: Mode): Refusal => refusal(400, `${mode} mode expects data: ${modeSpec(mode).data.expects}`),
  fuzzyOutsideRows: (): Refusal => refusal(400, 'fuzzy matching is available in rows mode only'),
  badOptions: (): Refusal => refusal(400, 'options must be an object'),
  badOption: (name: string, option: OptionSpec): Refusal => refusal(400, `${name} must be ${expected(option)}`),
  badEmails: (): Refusal => refusal(400, 'emails must be an array of strings'),
  badRequest: (): Refusal => refusal(400, 'bad request'),

  invalidKey: (): Refusal => refusal(401, 'invalid api key'),
  keyRequired: (baseUrl: string): Refusal =>
    refusal(401, `an API key is required — create a free key at ${baseUrl}/app/keys`),

  fuzzyNeedsKey: (baseUrl: string): Refusal =>
    refusal(403, `fuzzy matching requires an API key — create a free key at ${baseUrl}/app/keys`),

  notFound: (): Refusal => refusal(404, 'not found'),
  methodNotAllowed: (baseUrl: string): Refusal => refusal(405, `POST a JSON body — see ${baseUrl}/api`),
  timedOut: (): Refusal => refusal(408, 'request timed out'),

  /** The declared length is over the cap; the body was not read. */
  declaredTooLarge: (plan: Plan): Refusal =>
    plan.name === 'keyless'
      ? refuse.bodyTooLarge(plan)
      : refusal(413, `payload too large (${plan.bodyCap} ${plan.title} plan limit)`),
  /** The body proved to be over the cap while it was read. */
  bodyTooLarge: (plan: Plan): Refusal => refusal(413, `payload too large (${plan.bodyCap} plan limit)`),
  tooManyFuzzyRows: (rows: number): Refusal =>
    refusal(
      413,
      `fuzzy matching is capped at ${grouped(FUZZY_ROWS)} rows per request (got ${rows}); split the file or use exact matching`,
    ),
  tooManyUnits: (plan: Plan, units: number): Refusal =>
    refusal(
      413,
      `request too large: ${units} units, over the ${plan.unitsPerRequest}-unit ${plan.title} per-request limit`,
      { units, limit: plan.unitsPerRequest },
    ),

  monthSpent: (plan: Plan, used: number, resets: Date): Refusal =>
    refusal(429, 'monthly unit limit reached', { limit: plan.allowance.units, used, resets: resets.toISOString() }),
  burst: (plan: Plan, { requests, windowSeconds }: BurstLimit, retryAfter: number): Refusal =>
    refusal(429, `rate limit reached: ${requests} requests per ${windowWord(windowSeconds)} on ${plan.title}`, {
      limit: requests,
      windowSeconds,
      retryAfter,
    }),
  daySpent: (plan: Plan, units: number, baseUrl: string): Refusal =>
    refusal(429, `keyless daily unit limit reached — create a free API key at ${baseUrl}/app/keys`, {
      limit: plan.allowance.units,
      units,
    }),

  headersTooLarge: (): Refusal => refusal(431, 'headers too large'),

  internal: (): Refusal => refusal(500, 'internal error'),
  busy: (): Refusal => refusal(503, 'server is busy; try again later'),
  stopping: (): Refusal => refusal(503, 'server is stopping; try again later'),
  storeDown: (): Refusal => refusal(503, 'usage cannot be recorded at the moment; try again later'),
  fuzzyTooLong: (): Refusal => refusal(503, FUZZY_TOO_LONG),
} as const

/** The message of `refuse.fuzzyTooLong`, by itself, so that a program that looks for it need not contain all others. */
export const FUZZY_TOO_LONG = 'fuzzy matching took too long; raise threshold, choose keyColumns or split the file'
