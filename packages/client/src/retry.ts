import { BusyError, ConnectionError, RateLimitError } from './errors.ts'

/** Specification 7: attempts are capped, at five in all. */
const ATTEMPTS = 5

const FIRST_JITTER_MS = 250

/**
 * How long to wait before the next attempt, in milliseconds, or undefined when the failure is final.
 * At least what the service asked for, and a random part on top that doubles with each attempt, so that callers who
 * were refused together don't come back together. `attempt` counts from 1, `random` gives numbers from 0 to below 1.
 */
export function waitBeforeRetryMs(failure: unknown, attempt: number, random: () => number): number | undefined {
  if (attempt >= ATTEMPTS || !canBeTriedAgain(failure)) return undefined
  const askedMs = failure instanceof ConnectionError ? 0 : (failure.retryAfter ?? 0) * 1_000
  return askedMs + FIRST_JITTER_MS * 2 ** (attempt - 1) * (1 + random())
}

/**
 * Only what surely was not billed and may go better next time: a refusal by the burst limit, a busy service, and a
 * connection that never came about. A connection that broke later may have delivered a request that was billed.
 */
function canBeTriedAgain(failure: unknown): failure is RateLimitError | BusyError | ConnectionError {
  if (failure instanceof ConnectionError) return neverConnected(failure.cause)
  return failure instanceof RateLimitError || failure instanceof BusyError
}

/** As Node and Bun name it; a browser does not tell, so there it counts as connected. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
])

/** Deno gives no code, only the words of its HTTP library. */
const NEVER_CONNECTED_IN_DENO = 'client error (Connect): tcp connect error'

function neverConnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  if (NEVER_CONNECTED.has(code) || cause.message.includes(NEVER_CONNECTED_IN_DENO)) return true
  return neverConnected(cause.cause)
}
