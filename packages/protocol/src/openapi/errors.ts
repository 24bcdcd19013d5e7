import { FUZZY_ROWS, PLANS } from '../plans.ts'
import { type Refusal, refuse } from '../refusals.ts'

export type Endpoint = 'dedupe' | 'validate'
/** What is described: the two endpoints, and the preflight that both have. */
export type Described = Endpoint | 'preflight'

/** A refusal as a reader meets it: real values in its message, when it comes, and from where. */
export interface DescribedError {
  readonly name: string
  readonly when: string
  readonly on: readonly Described[]
  readonly refusal: Refusal
}

const ALL: readonly Described[] = ['dedupe', 'validate', 'preflight']
const BOTH: readonly Described[] = ['dedupe', 'validate']
const DEDUPE: readonly Described[] = ['dedupe']
const VALIDATE: readonly Described[] = ['validate']

/** Midnight UTC on the first of a month, as an example of when an allowance is whole again. */
const NEXT_MONTH = new Date('2026-12-01T00:00:00.000Z')

/**
 * Every error that the API sends (specification 7 and what was decided beside it), in order of status;
 * within 400, in the order in which they are looked for.
 */
export function describeErrors(baseUrl: string): readonly DescribedError[] {
  return [...notUnderstood(), ...notAllowed(baseUrl), ...tooLarge(), ...spent(baseUrl), ...ours()]
}

function describe(name: string, on: readonly Described[], refusal: Refusal, when: string): DescribedError {
  return { name, on, refusal, when }
}

function notUnderstood(): DescribedError[] {
  return [
    describe('unparseableBody', BOTH, refuse.unparseableBody(), 'The body is not JSON, not UTF-8, or compressed.'),
    describe('badMode', DEDUPE, refuse.badMode(), '`mode` is missing or not one of the three.'),
    describe('linesData', DEDUPE, refuse.linesData(), 'Lines mode, and `data` is not a string.'),
    describe('rowsData', DEDUPE, refuse.rowsData(), 'Rows mode, and `data` is not a string.'),
    describe('jsonData', DEDUPE, refuse.jsonData(), 'Json mode, and `data` is not an array.'),
    describe('fuzzyOutsideRows', DEDUPE, refuse.fuzzyOutsideRows(), '`fuzzy` is set in lines or json mode.'),
    describe('badThreshold', DEDUPE, refuse.badThreshold(), '`threshold` is there and is no number from 0.5 to 1.'),
    describe('badOptions', DEDUPE, refuse.badOptions(), '`options` is neither an object nor null.'),
    describe('notBoolean', DEDUPE, refuse.notBoolean('trim'), 'An option that is true or false is something else.'),
    describe('notString', DEDUPE, refuse.notString('key'), '`key` is not a string.'),
    describe('badKeyColumns', DEDUPE, refuse.badKeyColumns(), '`keyColumns` is no list of column numbers.'),
    describe('badEmails', VALIDATE, refuse.badEmails(), '`emails` is missing or no list of strings.'),
    describe('badRequest', ALL, refuse.badRequest(), 'What was sent is not HTTP.'),
  ]
}

function notAllowed(baseUrl: string): DescribedError[] {
  return [
    describe('invalidKey', BOTH, refuse.invalidKey(), 'The key is unknown, revoked, malformed or can not be checked.'),
    describe('keyRequired', VALIDATE, refuse.keyRequired(baseUrl), 'No key was sent.'),
    describe('fuzzyNeedsKey', DEDUPE, refuse.fuzzyNeedsKey(baseUrl), '`fuzzy` without a key. One of any plan will do.'),
    describe('methodNotAllowed', BOTH, refuse.methodNotAllowed(baseUrl), 'Any method but POST and OPTIONS.'),
    describe('timedOut', ALL, refuse.timedOut(), 'Headers or body came too slowly.'),
  ]
}

function tooLarge(): DescribedError[] {
  const rows = FUZZY_ROWS + 1
  return [
    describe(
      'declaredTooLarge',
      BOTH,
      refuse.declaredTooLarge(PLANS.free),
      '`Content-Length` is over the cap of the plan; the body was not read. Size and plan vary.',
    ),
    describe(
      'bodyTooLarge',
      BOTH,
      refuse.bodyTooLarge(PLANS.keyless),
      'The body turned out to be over the cap. Size varies.',
    ),
    describe('tooManyFuzzyRows', DEDUPE, refuse.tooManyFuzzyRows(rows), 'Too many data rows for one fuzzy request.'),
    describe(
      'tooManyUnits',
      BOTH,
      refuse.tooManyUnits(PLANS.free, 240),
      'The request costs more units than the plan allows at once.',
    ),
  ]
}

function spent(baseUrl: string): DescribedError[] {
  const { free, keyless } = PLANS
  const hourly = free.burst ?? { requests: 60, windowSeconds: 3_600 }
  return [
    describe(
      'monthSpent',
      BOTH,
      refuse.monthSpent(free, 960, NEXT_MONTH),
      'The request does not fit into what is left of the month. Final until `resets`.',
    ),
    describe(
      'burst',
      BOTH,
      refuse.burst(free, hourly, 1_260),
      'The burst window is full. The one error that waiting cures: try again after `Retry-After` seconds.',
    ),
    describe(
      'daySpent',
      DEDUPE,
      refuse.daySpent(keyless, 120, baseUrl),
      'The network address has spent its day. Final until the next day (UTC), or until a key is used.',
    ),
    describe('headersTooLarge', ALL, refuse.headersTooLarge(), 'The headers of the request are too large.'),
  ]
}

function ours(): DescribedError[] {
  return [
    describe('internal', BOTH, refuse.internal(), 'A fault of the service. Costs nothing.'),
    describe('busy', BOTH, refuse.busy(), 'A queue is full. Costs nothing.'),
    describe('stopping', BOTH, refuse.stopping(), 'The server is being stopped. Costs nothing.'),
    describe('storeDown', BOTH, refuse.storeDown(), 'Units can not be recorded. Costs nothing.'),
    describe(
      'fuzzyTooLong',
      DEDUPE,
      refuse.fuzzyTooLong(),
      "Fuzzy work passed the operator's time limit. Costs nothing, and trying the same again does not help.",
    ),
  ]
}
