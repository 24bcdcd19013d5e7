import type { MODE_SPECS, Mode, OptionsOf } from './modes.ts'

/** The type of the member `data` of a request in each mode. */
type DataOf<M extends Mode> = (typeof MODE_SPECS)[M]['data']['type'] extends 'string' ? string : readonly unknown[]

/** Specification 2.1: the body of `POST /api/dedupe`. */
export type DedupeRequest = {
  [M in Mode]: { readonly mode: M; readonly data: DataOf<M>; readonly options?: Partial<OptionsOf<M>> }
}[Mode]

/** Specification 2.3: the answer. `Result` is `string[]` for lines, `string` for rows, and the items for json. */
export interface DedupeAnswer<Result> {
  readonly result: Result
  /** Survivors; in rows mode the data rows, without the header. */
  readonly kept: number
  /** Entries dropped as duplicates of an earlier one. */
  readonly removed: number
}

/** Specification 2.6: the body of `POST /api/validate`. */
export interface ValidateRequest {
  readonly emails: readonly string[]
}
export type Reason = 'ok' | 'syntax' | 'disposable' | 'no_mx'
export interface EmailVerdict {
  readonly email: string
  readonly valid: boolean
  readonly reason: Reason
  /** `null`: the look-up failed, or was not made because the syntax is wrong. */
  readonly mx: boolean | null
  readonly disposable: boolean
  readonly role: boolean
}
export interface ValidateSummary {
  readonly total: number
  readonly valid: number
  readonly invalid: number
  readonly disposable: number
  readonly role: number
}
export interface ValidateAnswer {
  readonly results: readonly EmailVerdict[]
  readonly summary: ValidateSummary
}

/** Specification 2.4: the body of every answer that is not 2xx. */
export interface ErrorBody {
  readonly error: string
  readonly limit?: number
  readonly units?: number
  readonly used?: number
  readonly resets?: string
  readonly windowSeconds?: number
  readonly retryAfter?: number
}

/** Specification 4.4: sent with every answer of the API; only a burst 429 adds another header, `Retry-After`. */
export const API_HEADERS = {
  'Content-Type': 'application/json',
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type',
} as const
