import { FUZZY_ROWS, type Plan } from './plans.ts'
import type { ErrorBody } from './wire.ts'

/**
 * Why a request was not answered with a result: a status and the whole error body (specification 2.4).
 * Plain data, so that it crosses threads as it is.
 */
export interface Refusal {
  readonly status: RefusalStatus
  readonly body: ErrorBody
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 429 | 431 | 500 | 503

function refusal(status: RefusalStatus, error: string, extra: Omit<ErrorBody, 'error'> = {}): Refusal {
  return { status, body: { error, ...extra } }
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
  unparseableBody: () => refusal(400, 'invalid JSON body'),
  badMode: () => refusal(400, 'mode must be one of: lines, rows, json'),
  linesData: () => refusal(400, 'lines mode expects data: string'),
  rowsData: () => refusal(400, 'rows mode expects data: CSV string'),
  jsonData: () => refusal(400, 'json mode expects data: array'),
  fuzzyOutsideRows: () => refusal(400, 'fuzzy matching is available in rows mode only'),
  badThreshold: () => refusal(400, 'threshold must be a number between 0.5 and 1'),
  badOptions: () => refusal(400, 'options must be an object'),
  notBoolean: (option: string) => refusal(400, `${option} must be a boolean`),
  notString: (option: string) => refusal(400, `${option} must be a string`),
  badKeyColumns: () => refusal(400, 'keyColumns must be an array of integers, each 0 or greater'),
  badEmails: () => refusal(400, 'emails must be an array of strings'),
  badRequest: () => refusal(400, 'bad request'),

  invalidKey: () => refusal(401, 'invalid api key'),
  keyRequired: (baseUrl: string) => refusal(401, `an API key is required — create a free key at ${baseUrl}/app/keys`),

  fuzzyNeedsKey: (baseUrl: string) =>
    refusal(403, `fuzzy matching requires an API key — create a free key at ${baseUrl}/app/keys`),

  notFound: () => refusal(404, 'not found'),
  methodNotAllowed: (baseUrl: string) => refusal(405, `POST a JSON body — see ${baseUrl}/api`),
  timedOut: () => refusal(408, 'request timed out'),

  /** The declared length is over the cap; the body was not read. */
  declaredTooLarge: (plan: Plan) =>
    plan.name === 'keyless'
      ? refuse.bodyTooLarge(plan)
      : refusal(413, `payload too large (${plan.bodyCap} ${plan.title} plan limit)`),
  /** The body turned out to be over the cap while it was read. */
  bodyTooLarge: (plan: Plan) => refusal(413, `payload too large (${plan.bodyCap} plan limit)`),
  tooManyFuzzyRows: (rows: number) =>
    refusal(
      413,
      `fuzzy matching is capped at ${FUZZY_ROWS.toLocaleString('en-US')} rows per request (got ${rows}); split the file or use exact matching`,
    ),
  tooManyUnits: (plan: Plan, units: number) =>
    refusal(
      413,
      `request too large: ${units} units, over the ${plan.unitsPerRequest}-unit ${plan.title} per-request limit`,
      { units, limit: plan.unitsPerRequest },
    ),

  monthSpent: (plan: Plan, used: number, resets: Date) =>
    refusal(429, 'monthly unit limit reached', { limit: plan.allowance.units, used, resets: resets.toISOString() }),
  burst: (plan: Plan, limit: { requests: number; windowSeconds: number }, retryAfter: number) =>
    refusal(
      429,
      `rate limit reached: ${limit.requests} requests per ${windowWord(limit.windowSeconds)} on ${plan.title}`,
      { limit: limit.requests, windowSeconds: limit.windowSeconds, retryAfter },
    ),
  daySpent: (plan: Plan, units: number, baseUrl: string) =>
    refusal(429, `keyless daily unit limit reached — create a free API key at ${baseUrl}/app/keys`, {
      limit: plan.allowance.units,
      units,
    }),

  headersTooLarge: () => refusal(431, 'headers too large'),

  internal: () => refusal(500, 'internal error'),
  busy: () => refusal(503, 'server is busy; try again later'),
  stopping: () => refusal(503, 'server is stopping; try again later'),
  storeDown: () => refusal(503, 'usage cannot be recorded at the moment; try again later'),
  fuzzyTooLong: () =>
    refusal(503, 'fuzzy matching took too long; raise threshold, choose keyColumns or split the file'),
} as const
