import { type ErrorBody, FUZZY_TOO_LONG } from '@keepfirst/protocol'

/** The base of every error that a call can reject with. No error contains the API key or the data that was sent. */
export abstract class KeepfirstError extends Error {
  /** The HTTP status, or null if there was no answer. */
  abstract readonly status: number | null
}

/** The service answered with an error: its status and the members of its error body (specification 2.4). */
export class ApiError extends KeepfirstError implements ErrorBody {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly error: string
  declare readonly limit?: number
  declare readonly units?: number
  declare readonly used?: number
  declare readonly resets?: string
  declare readonly windowSeconds?: number
  declare readonly retryAfter?: number

  constructor(status: number, body: ErrorBody) {
    super(body.error)
    this.status = status
    this.error = body.error
    Object.assign(this, body)
  }
}

/** 400: the request is malformed. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError'
}

/** 401: a required key is missing, or the key is unknown or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the request needs a key. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 413: more bytes, units or fuzzy rows than one request may have. */
export class TooLargeError extends ApiError {
  override readonly name = 'TooLargeError'
}

/** 429 with `retryAfter` (seconds): too many requests for now. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
  declare readonly retryAfter: number
}

/** 429 without `retryAfter`: the month's or the day's allowance is used up. Retrying soon does not help. */
export class AllowanceError extends ApiError {
  override readonly name = 'AllowanceError'
}

/** 503: the service cannot take the request right now; nothing was billed. */
export class BusyError extends ApiError {
  override readonly name = 'BusyError'
}

/** 503 for a fuzzy request that exceeded the operator's time limit: the same request would exceed it again. */
export class FuzzyTimeError extends ApiError {
  override readonly name = 'FuzzyTimeError'
}

/** 500 and other 5xx: a fault in the service, or in something on the way to it. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** 404: there is nothing at the address that was called. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'

  constructor(status: number, body: ErrorBody, address: string) {
    super(status, body)
    this.message = `nothing at ${address}; is baseUrl the root of the service?`
  }
}

/** The answer did not come from this service: a redirect, a page, an unreadable result. Check `baseUrl`. */
export class UnexpectedAnswerError extends KeepfirstError {
  override readonly name = 'UnexpectedAnswerError'
  readonly status: number

  constructor(status: number, what: string) {
    super(`${what}; is baseUrl the address of a Keepfirst service?`)
    this.status = status
  }
}

/** The input or a setting is invalid; nothing was sent. The message says where. */
export class InvalidInputError extends KeepfirstError {
  override readonly name = 'InvalidInputError'
  readonly status = null

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
  }
}

/** There was no connection, or it broke before the answer was complete. `cause` is the platform's error. */
export class ConnectionError extends KeepfirstError {
  override readonly name = 'ConnectionError'
  readonly status = null

  constructor(baseUrl: string, cause: unknown) {
    super(`no complete answer from ${baseUrl}`, { cause })
  }
}

/** The call exceeded its time limit. */
export class TimeoutError extends KeepfirstError {
  override readonly name = 'TimeoutError'
  readonly status = null

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
  }
}

/** The caller's signal ended the call. `cause` is the signal's reason. */
export class AbortError extends KeepfirstError {
  override readonly name = 'AbortError'
  readonly status = null

  constructor(cause: unknown) {
    super('the call was aborted', { cause })
  }
}

/**
 * The error for a status and an error body.
 * @param address the address that was called
 */
export function apiError(status: number, body: ErrorBody, address: string): ApiError {
  if (status === 400) return new InvalidRequestError(status, body)
  if (status === 401) return new AuthenticationError(status, body)
  if (status === 403) return new ForbiddenError(status, body)
  if (status === 404) return new NotFoundError(status, body, address)
  if (status === 413) return new TooLargeError(status, body)
  if (status === 429 && body.retryAfter === undefined) return new AllowanceError(status, body)
  if (status === 429) return new RateLimitError(status, body)
  if (status === 503 && body.error === FUZZY_TOO_LONG) return new FuzzyTimeError(status, body)
  if (status === 503) return new BusyError(status, body)
  return status >= 500 ? new ServerError(status, body) : new ApiError(status, body)
}
