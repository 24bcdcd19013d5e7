import { BusyError, ConnectionError, RateLimitError } from './errors.ts'

/** The total number of attempts, as limited by specification 7. */
const ATTEMPTS = 5

const FIRST_JITTER_MS = 250

/**
 * The wait before the next attempt in milliseconds, or undefined if the failure is final. It is at least what the
 * service asked for, plus a random part that doubles with each attempt, so that callers who were refused together do
 * not retry together. `attempt` counts from 1; `random` returns numbers in [0, 1).
 */
export function waitBeforeRetryMs(failure: unknown, attempt: number, random: () => number): number | undefined {
  if (attempt >= ATTEMPTS || !canBeTriedAgain(failure)) return undefined
  const askedMs = failure instanceof ConnectionError ? 0 : (failure.retryAfter ?? 0) * 1_000
  return askedMs + FIRST_JITTER_MS * 2 ** (attempt - 1) * (1 + random())
}

/**
 * Only failures that were certainly not billed and may be temporary: a burst refusal, a busy service, and a connection
 * that was never established. A connection that broke later may have delivered a request that was billed.
 */
function canBeTriedAgain(failure: unknown): failure is RateLimitError | BusyError | ConnectionError {
  if (failure instanceof ConnectionError) return neverConnected(failure.cause)
  return failure instanceof RateLimitError || failure instanceof BusyError
}

/** The codes of Node and Bun. Browsers give none, so a failure there counts as having connected. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

/** Deno gives no code, only the message of its HTTP library. */
const NEVER_CONNECTED_IN_DENO = 'client error (Connect): tcp connect error'

function neverConnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (NEVER_CONNECTED.has(code) || cause.message.includes(NEVER_CONNECTED_IN_DENO)) return true
  return neverConnected(cause.cause)
}
