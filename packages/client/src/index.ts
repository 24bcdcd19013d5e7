export type {
  DedupeAnswer,
  EmailVerdict,
  Reason,
  ValidateAnswer,
  ValidateSummary,
} from '@keepfirst/protocol'
export type { Platform } from './call.ts'
export * from './client.ts'
export {
  AbortError,
  AllowanceError,
  ApiError,
  AuthenticationError,
  BusyError,
  ConnectionError,
  ForbiddenError,
  FuzzyTimeError,
  InvalidInputError,
  InvalidRequestError,
  KeepfirstError,
  NotFoundError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnexpectedAnswerError,
} from './errors.ts'
export type { JsonCompatible } from './json-input.ts'
