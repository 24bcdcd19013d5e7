import type { BurstLimit } from '@keepfirst/protocol'
import type { ChargeOutcome, WaitingCharge } from '../../src/store/charge-group.ts'

/** Where a charge that waits comes from, and what its caller has been told so far. */
export interface RecordedCharge {
  readonly waiting: WaitingCharge
  /** Errors as text. */
  readonly outcomes: (ChargeOutcome | string)[]
}

export interface ChargeOptions {
  readonly counter?: string
  readonly period?: string
  readonly at?: number
  readonly units?: number
  readonly limit?: number
  readonly burst?: BurstLimit | null
  /** In monotonic milliseconds. */
  readonly since?: number
  readonly isGivenUp?: boolean
  /** Its client has disconnected. */
  readonly isGone?: boolean
}

/** A charge with a key, of one unit unless told otherwise. */
export function waitingCharge(options: ChargeOptions = {}): RecordedCharge {
  const { counter = 'account', period = '2026-11', at = 0, units = 1, limit = Number.MAX_SAFE_INTEGER } = options
  const keyed = { keyId: 'key', burst: options.burst ?? null, call: { mode: 'lines', rows: 1 } } as const
  const outcomes: (ChargeOutcome | string)[] = []
  return {
    outcomes,
    waiting: {
      charge: { id: 'id', counter, period, at, units, limit, keyed },
      client: { aborted: options.isGone ?? false },
      since: options.since ?? 0,
      resolve: (outcome) => outcomes.push(outcome),
      reject: (error) => outcomes.push(String(error)),
      isGivenUp: options.isGivenUp ?? false,
    },
  }
}
