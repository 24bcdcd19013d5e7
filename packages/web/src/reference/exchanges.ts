import { DEDUPE_EXAMPLES, type Exchange, VALIDATE_EXAMPLE } from '@keepfirst/protocol'

/** What is shown and can be sent, by endpoint. */
export const EXCHANGES: { readonly [path: string]: readonly Exchange<unknown, unknown>[] } = {
  '/api/dedupe': DEDUPE_EXAMPLES,
  '/api/validate': [VALIDATE_EXAMPLE],
}
