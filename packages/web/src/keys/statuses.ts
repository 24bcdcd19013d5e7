import type { CallStatus } from '@keepfirst/protocol'

/** What a status means for the caller: two words next to it, and a sentence below the table. */
export const MEANINGS: { readonly [status: number]: { readonly short: string; readonly long: string } } = {
  200: { short: 'answered', long: 'The list came back without duplicates.' },
  400: {
    short: 'not understood',
    long: 'The body was not JSON, a field had the wrong type, or an option had a value that it does not take. The answer said which. It cost nothing; correct the request before you send it again.',
  },
  401: { short: 'no valid key', long: 'The key is unknown, revoked or malformed.' },
  403: { short: 'not allowed', long: 'The request asked for something that needs a key.' },
  413: {
    short: 'too large',
    long: 'The body, rows or units exceeded the plan’s limit for one request. It cost nothing; split the list, or move to a larger plan.',
  },
  429: {
    short: 'limit reached',
    long: 'Either too many requests in a short time: the answer had Retry-After, so wait that long and send again. Or the month’s units were used up: wait until the 1st, or move to a larger plan. It cost nothing.',
  },
  499: { short: 'caller left', long: 'The caller disconnected before the answer; the work had begun and is billed.' },
  500: { short: 'server error', long: 'The service failed. It cost nothing.' },
  503: { short: 'busy', long: 'The service had no capacity left, or fuzzy matching took too long. It cost nothing.' },
}

/** The statuses that people ask about, in the order in which they are explained. */
export const EXPLAINED = [400, 413, 429, 499, 503] as const

const GROUPS = {
  answered: 'Answered (200)',
  refused: 'Refused (400 to 498)',
  failed: 'Abandoned or failed (499 and above)',
  open: 'In progress or interrupted',
} satisfies { readonly [Status in CallStatus]: string }

/** Kinds of outcomes to filter calls by; the names are the server's. */
export const OUTCOMES = [
  { name: '', title: 'All outcomes' },
  { name: 'answered', title: GROUPS.answered },
  { name: 'refused', title: GROUPS.refused },
  ...EXPLAINED.filter((status) => status < 499).map((status) => ({
    name: String(status),
    title: `${status} ${MEANINGS[status]?.short}`,
  })),
  { name: 'failed', title: GROUPS.failed },
  { name: 'open', title: GROUPS.open },
]
