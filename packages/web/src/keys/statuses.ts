/** Kinds of outcomes to filter calls by; the names are the server's. */
export const OUTCOMES = [
  { name: '', title: 'All outcomes' },
  { name: 'answered', title: 'Answered (200)' },
  { name: 'refused', title: 'Refused (400 to 498)' },
  { name: '400', title: '400 not understood' },
  { name: '413', title: '413 too large' },
  { name: '429', title: '429 limit reached' },
  { name: 'failed', title: 'Abandoned or failed (499 and above)' },
  { name: 'open', title: 'In progress or interrupted' },
] as const

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
