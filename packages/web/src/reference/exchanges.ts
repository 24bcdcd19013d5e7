import {
  DEDUPE_EXAMPLES,
  type DedupeRequest,
  type Exchange,
  VALIDATE_EXAMPLE,
  type ValidateRequest,
} from '@keepfirst/protocol'

export type ShownExchange = Exchange<DedupeRequest | ValidateRequest, unknown>

/** The examples that are shown and can be sent, by endpoint. */
export const EXCHANGES: { readonly [path: string]: readonly ShownExchange[] } = {
  '/api/dedupe': DEDUPE_EXAMPLES,
  '/api/validate': [VALIDATE_EXAMPLE],
}
