import { type ErrorBody, refuse } from '@keepfirst/protocol'

/** Every way in which a call can fail. None of them holds the API key or what was sent. */
export abstract class KeepfirstError extends Error {
  /** The HTTP status, or null when there was no answer. */
  abstract readonly status: number | null
}

/** The service answered with an error: its status, and the members of its error body (specification 2.4). */
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

/** 401: the key is missing where one is needed, unknown or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: what was asked for needs a key. */
export class ForbiddenError extends ApiError {
  override readonly name = 'ForbiddenError'
}

/** 413: more bytes, units or fuzzy rows than one request may have. */
export class TooLargeError extends ApiError {
  override readonly name = 'TooLargeError'
}

/** 429 with `retryAfter` (seconds): too many requests at the moment. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
  declare readonly retryAfter: number
}

/** 429 without `retryAfter`: the allowance of the month or the day is spent. Waiting a moment does not help. */
export class AllowanceError extends ApiError {
  override readonly name = 'AllowanceError'
}

/** 503: the service can't take the request at the moment; nothing was billed. */
export class BusyError extends ApiError {
  override readonly name = 'BusyError'
}

/** 503 of a fuzzy request that ran past the operator's bound: the same request would do so again. */
export class FuzzyTimeError extends ApiError {
  override readonly name = 'FuzzyTimeError'
}

/** 500 and the other 5xx: a fault of the service, or of something on the way to it. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

/** 404: nothing of the service is at the address that was called. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'

  constructor(status: number, body: ErrorBody, address: string) {
    super(status, body)
    this.message = `nothing at ${address}; is baseUrl the root of the service?`
  }
}

/** The answer is none of this service: a redirect, a page, a result that can't be read. Is `baseUrl` right? */
export class UnexpectedAnswerError extends KeepfirstError {
  override readonly name = 'UnexpectedAnswerError'
  readonly status: number

  constructor(status: number, what: string) {
    super(`${what}; is baseUrl the address of a Keepfirst service?`)
    this.status = status
  }
}

/** What was given cannot be sent as it is, or settings make no sense; nothing was sent. The message names the place. */
export class InvalidInputError extends KeepfirstError {
  override readonly name = 'InvalidInputError'
  readonly status = null

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
  }
}

/** No connection, or it broke before the whole answer was there. The `cause` says what the platform knows. */
export class ConnectionError extends KeepfirstError {
  override readonly name = 'ConnectionError'
  readonly status = null

  constructor(baseUrl: string, cause: unknown) {
    super(`no whole answer from ${baseUrl}`, { cause })
  }
}

/** The time limit of the call ran out. */
export class TimeoutError extends KeepfirstError {
  override readonly name = 'TimeoutError'
  readonly status = null

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
  }
}

/** The caller's signal ended the call. The `cause` is the signal's reason. */
export class AbortError extends KeepfirstError {
  override readonly name = 'AbortError'
  readonly status = null

  constructor(cause: unknown) {
    super('the call was aborted', { cause })
  }
}

/**
 * The error that a status and an error body stand for.
 * @param address what was called
 */
export function apiError(status: number, body: ErrorBody, address: string): ApiError {
  if (status === 400) return new InvalidRequestError(status, body)
  if (status === 401) return new AuthenticationError(status, body)
  if (status === 403) return new ForbiddenError(status, body)
  if (status === 404) return new NotFoundError(status, body, address)
  if (status === 413) return new TooLargeError(status, body)
  if (status === 429 && body.retryAfter === undefined) return new AllowanceError(status, body)
  if (status === 429) return new RateLimitError(status, body)
  if (status === 503 && body.error === refuse.fuzzyTooLong().body.error) return new FuzzyTimeError(status, body)
  if (status === 503) return new BusyError(status, body)
  return status >= 500 ? new ServerError(status, body) : new ApiError(status, body)
}
