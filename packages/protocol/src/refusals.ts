import { type BurstLimit, FUZZY_ROWS, type Plan } from './plans.ts'
import type { ErrorBody } from './wire.ts'

/**
 * Why a request was not answered with a result: a status and the whole error body (specification 2.4).
 * Plain data, so that it crosses threads as it is.
 */
export interface Refusal {
  readonly kind: 'refusal'
  readonly status: RefusalStatus
  readonly body: ErrorBody
}

/** Is this a refusal, and not the value that a step hands on? */
export function isRefusal(outcome: { readonly kind: string } | ArrayBuffer): outcome is Refusal {
  return 'kind' in outcome && outcome.kind === 'refusal'
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 431 | 500 | 503

function refusal(status: RefusalStatus, error: string, extra: Omit<ErrorBody, 'error'> = {}): Refusal {
  return { kind: 'refusal', status, body: { error, ...extra } }
}

/** Specification 7: the window of a burst limit in words. */
function windowWord(windowSeconds: number): string {
  if (windowSeconds === 3_600) return 'hour'
  if (windowSeconds === 60) return 'minute'
  return `${windowSeconds} seconds`
}

/**
 * Every refusal there is, with its literal message (specification 7, and what stands beside it in
 * `docs/specification.md` under "Where the specification is silent"). No other file holds one.
 */
export const refuse = {
  // 400, in the order in which validation looks for them
  unparseableBody: (): Refusal => refusal(400, 'invalid JSON body'),
  badMode: (): Refusal => refusal(400, 'mode must be one of: lines, rows, json'),
  linesData: (): Refusal => refusal(400, 'lines mode expects data: string'),
  rowsData: (): Refusal => refusal(400, 'rows mode expects data: CSV string'),
  jsonData: (): Refusal => refusal(400, 'json mode expects data: array'),
  fuzzyOutsideRows: (): Refusal => refusal(400, 'fuzzy matching is available in rows mode only'),
  badThreshold: (): Refusal => refusal(400, 'threshold must be a number between 0.5 and 1'),
  badOptions: (): Refusal => refusal(400, 'options must be an object'),
  notBoolean: (option: string): Refusal => refusal(400, `${option} must be a boolean`),
  notString: (option: string): Refusal => refusal(400, `${option} must be a string`),
  badKeyColumns: (): Refusal => refusal(400, 'keyColumns must be an array of integers, each 0 or greater'),
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
  /** The body turned out to be over the cap while it was read. */
  bodyTooLarge: (plan: Plan): Refusal => refusal(413, `payload too large (${plan.bodyCap} plan limit)`),
  tooManyFuzzyRows: (rows: number): Refusal =>
    refusal(
      413,
      `fuzzy matching is capped at ${FUZZY_ROWS.toLocaleString('en-US')} rows per request (got ${rows}); split the file or use exact matching`,
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
  fuzzyTooLong: (): Refusal =>
    refusal(503, 'fuzzy matching took too long; raise threshold, choose keyColumns or split the file'),
} as const
