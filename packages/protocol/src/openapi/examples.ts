import type { DedupeAnswer, DedupeRequest, ValidateAnswer, ValidateRequest } from '../wire.ts'

/** A request and the exact answer to it. */
export interface Exchange<Request, Answer> {
  readonly name: string
  readonly title: string
  readonly request: Request
  readonly answer: Answer
  /** Whether a key is needed. */
  readonly keyed: boolean
}

/** One deduplication per mode, and a fuzzy one. */
export const DEDUPE_EXAMPLES: readonly Exchange<DedupeRequest, DedupeAnswer<unknown>>[] = [
  {
    name: 'lines',
    title: 'Lines, without regard to case or white space',
    keyed: false,
    request: { mode: 'lines', data: 'Anna\nBen\n anna\nBEN\nCleo', options: { trim: true, ignoreCase: true } },
    answer: { result: ['Anna', 'Ben', 'Cleo'], kept: 3, removed: 2 },
  },
  {
    name: 'rows',
    title: 'CSV rows, by one column',
    keyed: false,
    request: {
      mode: 'rows',
      data: 'id,email\n1,ana@example.com\n2,ben@example.com\n3,ana@example.com',
      options: { keyColumns: [1] },
    },
    answer: { result: 'id,email\n1,ana@example.com\n2,ben@example.com', kept: 2, removed: 1 },
  },
  {
    name: 'fuzzy',
    title: 'CSV rows, fuzzy',
    keyed: true,
    request: {
      mode: 'rows',
      data: 'name,city\nJohn Smyth,Leeds\n"Smith, John",Leeds\nMary Jones,York',
      options: { keyColumns: [0], fuzzy: true, threshold: 0.9 },
    },
    answer: { result: 'name,city\nJohn Smyth,Leeds\nMary Jones,York', kept: 2, removed: 1 },
  },
  {
    name: 'json',
    title: 'JSON items, by a path',
    keyed: false,
    request: {
      mode: 'json',
      data: [
        { user: { id: 7 }, plan: 'free' },
        { user: { id: 8 }, plan: 'pro' },
        { user: { id: 7 }, plan: 'pro' },
      ],
      options: { key: 'user.id' },
    },
    answer: {
      result: [
        { user: { id: 7 }, plan: 'free' },
        { user: { id: 8 }, plan: 'pro' },
      ],
      kept: 2,
      removed: 1,
    },
  },
]

/** One address of each kind. */
export const VALIDATE_EXAMPLE: Exchange<ValidateRequest, ValidateAnswer> = {
  name: 'addresses',
  title: 'One address of each kind',
  keyed: true,
  request: { emails: ['ada@proton.me', 'sales@proton.me', 'x@mailinator.com', 'ben@example.com', 'no address'] },
  answer: {
    results: [
      { email: 'ada@proton.me', valid: true, reason: 'ok', mx: true, disposable: false, role: false },
      { email: 'sales@proton.me', valid: true, reason: 'ok', mx: true, disposable: false, role: true },
      { email: 'x@mailinator.com', valid: false, reason: 'disposable', mx: true, disposable: true, role: false },
      { email: 'ben@example.com', valid: false, reason: 'no_mx', mx: false, disposable: false, role: false },
      { email: 'no address', valid: false, reason: 'syntax', mx: null, disposable: false, role: false },
    ],
    summary: { total: 5, valid: 2, invalid: 3, disposable: 1, role: 1 },
  },
}
