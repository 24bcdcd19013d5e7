import { MODE_SPECS, MODES, type OptionSpec } from '../modes.ts'
import { optionsOf } from '../options.ts'
import { FUZZY_ROWS, PLANS, windowWord } from '../plans.ts'
import { type Refusal, refuse } from '../refusals.ts'

export type Endpoint = 'dedupe' | 'validate'
/** What an error can occur on: the two endpoints, and the preflight that both have. */
export type Described = Endpoint | 'preflight'

/** A refusal as documented: a message with real values, when and where it occurs, and what to do. */
export interface DescribedError {
  /** The member of `refuse`, followed by a dot and the variant if there are several. */
  readonly name: string
  readonly when: string
  /** What the caller can do, unless the message says it or correcting the request is enough. */
  readonly cure: string
  readonly on: readonly Described[]
  readonly refusal: Refusal
  /** The parts of the message that depend on the request or its plan, each with a name. */
  readonly varies: Readonly<Record<string, string>>
}

const ALL: readonly Described[] = ['dedupe', 'validate', 'preflight']
const BOTH: readonly Described[] = ['dedupe', 'validate']
const DEDUPE: readonly Described[] = ['dedupe']
const VALIDATE: readonly Described[] = ['validate']

/** Midnight UTC on the first of a month, as an example of when an allowance is reset. */
const NEXT_MONTH = new Date('2026-12-01T00:00:00.000Z')

const NO_CURE = ''
const LATER = 'Try again later.'

/**
 * Every error of the two endpoints (specification 7), ordered by status; within 400, in the order in which validation
 * looks for them. The 404 of other paths is not among them.
 * @throws Error when no plan has a burst limit
 */
export function describeErrors(baseUrl: string): readonly DescribedError[] {
  return [
    ...notUnderstood(),
    ...badOptions(),
    ...notAllowed(baseUrl),
    ...tooLarge(),
    ...limitsReached(baseUrl),
    ...serverErrors(),
  ].map(([name, on, refusal, when, cure, varies = {}]) => ({ name, on, refusal, when, cure, varies }))
}

type Row = readonly [
  name: string,
  on: readonly Described[],
  refusal: Refusal,
  when: string,
  cure: string,
  varies?: DescribedError['varies'],
]

/** The message of an error, with names in angle brackets for the parts that vary. */
export function messageTemplate({ refusal, varies }: DescribedError): string {
  return Object.entries(varies).reduce(
    (message, [words, name]) => message.replace(words, `<${name}>`),
    refusal.body.error,
  )
}

function notUnderstood(): Row[] {
  const data = MODES.map(
    (mode): Row => [
      `wrongData.${mode}`,
      DEDUPE,
      refuse.wrongData(mode),
      '`data` is missing or has another type.',
      NO_CURE,
    ],
  )
  return [
    ['badRequest', ALL, refuse.badRequest(), 'What was sent is not HTTP.', NO_CURE],
    ['unparseableBody', BOTH, refuse.unparseableBody(), 'The body is not JSON, not UTF-8, or compressed.', NO_CURE],
    ['badEmails', VALIDATE, refuse.badEmails(), '`emails` is missing or is not an array of strings.', NO_CURE],
    ['badMode', DEDUPE, refuse.badMode(), '`mode` is missing or is not one of those named.', NO_CURE],
    ...data,
  ]
}

function badOptions(): Row[] {
  return [
    [
      'fuzzyOutsideRows',
      DEDUPE,
      refuse.fuzzyOutsideRows(),
      '`fuzzy` is present in another mode and is neither false nor null.',
      'Leave it out, or send rows.',
    ],
    badOption(
      ['threshold', MODE_SPECS.rows.options.threshold],
      '`threshold` is present (in any mode) and is not a number within the bounds.',
    ),
    ['badOptions', DEDUPE, refuse.badOptions(), '`options` is neither an object nor null.', NO_CURE],
    ...badValues(),
  ]
}

type NamedOption = readonly [name: string, option: OptionSpec]

/** One row for each message: options whose messages differ only in the name share one. */
function badValues(): Row[] {
  const all: readonly NamedOption[] = MODES.flatMap(optionsOf).filter(([name]) => name !== 'threshold')
  const wording = ([, option]: NamedOption): string => refuse.badOption('', option).body.error
  return [...new Set(all.map(wording))].flatMap((words) => {
    const [first, ...others] = all.filter((one) => wording(one) === words)
    if (first === undefined) return []
    const [name, { type }] = first
    const when = type === 'number' ? 'The option is not a number within the bounds.' : 'The option has another type.'
    return [badOption(first, when, others.some(([other]) => other !== name) ? { [name]: 'option' } : {})]
  })
}

function badOption([name, option]: NamedOption, when: string, varies: DescribedError['varies'] = {}): Row {
  return [`badOption.${name}`, DEDUPE, refuse.badOption(name, option), when, NO_CURE, varies]
}

function notAllowed(baseUrl: string): Row[] {
  return [
    [
      'invalidKey',
      BOTH,
      refuse.invalidKey(),
      'The key is unknown, revoked or malformed, or cannot be checked at the moment.',
      'Send an active key. If it is one, try again later.',
    ],
    ['keyRequired', VALIDATE, refuse.keyRequired(baseUrl), 'No key was sent.', 'Send a key of any plan.'],
    [
      'fuzzyNeedsKey',
      DEDUPE,
      refuse.fuzzyNeedsKey(baseUrl),
      '`fuzzy` is true and no key was sent.',
      'Send a key of any plan, or compare exactly.',
    ],
    ['methodNotAllowed', BOTH, refuse.methodNotAllowed(baseUrl), 'Any method but POST and OPTIONS.', 'Send a POST.'],
    ['timedOut', ALL, refuse.timedOut(), 'Headers or body arrived too slowly.', LATER],
  ]
}

function tooLarge(): Row[] {
  return [
    [
      'declaredTooLarge',
      BOTH,
      refuse.declaredTooLarge(PLANS.free),
      '`Content-Length` is over the cap of the plan, and a key was sent. The body was not read.',
      'Split the list, or move to a larger plan.',
      { [PLANS.free.bodyCap]: 'size', [PLANS.free.title]: 'plan' },
    ],
    [
      'bodyTooLarge',
      BOTH,
      refuse.bodyTooLarge(PLANS.keyless),
      'No key was sent and `Content-Length` is over the cap; or the body proved to be over the cap while being read.',
      'Split the list, or send a key of a larger plan.',
      { [PLANS.keyless.bodyCap]: 'size' },
    ],
    [
      'tooManyFuzzyRows',
      DEDUPE,
      refuse.tooManyFuzzyRows(FUZZY_ROWS + 1),
      '`fuzzy` is true and there are more data rows than one fuzzy request may have.',
      NO_CURE,
      { [String(FUZZY_ROWS + 1)]: 'rows' },
    ],
    [
      'tooManyUnits',
      BOTH,
      refuse.tooManyUnits(PLANS.free, 240),
      'The request costs more units than the plan allows at once.',
      'Split the list, or move to a larger plan.',
      { 240: 'units', [String(PLANS.free.unitsPerRequest)]: 'limit', [PLANS.free.title]: 'plan' },
    ],
  ]
}

function limitsReached(baseUrl: string): Row[] {
  const { free, keyless } = PLANS
  const [limited] = Object.values(PLANS).flatMap((plan) => (plan.burst ? [{ plan, burst: plan.burst }] : []))
  if (limited === undefined) throw new Error('no plan has a burst limit')
  const { plan, burst } = limited
  return [
    [
      'monthSpent',
      BOTH,
      refuse.monthSpent(free, 960, NEXT_MONTH),
      'The request needs more units than are left this month.',
      'Wait until `resets`, or move to a larger plan. Retrying earlier does not help.',
    ],
    [
      'burst',
      BOTH,
      refuse.burst(plan, burst, 1_260),
      'The key has used up its burst window.',
      'Try again after `Retry-After` seconds. This is the only 429 worth retrying.',
      { [String(burst.requests)]: 'limit', [windowWord(burst.windowSeconds)]: 'window', [plan.title]: 'plan' },
    ],
    [
      'daySpent',
      DEDUPE,
      refuse.daySpent(keyless, 120, baseUrl),
      'The request needs more units than this network address has left today.',
      'Wait for the next day (UTC), or send a key.',
    ],
    ['headersTooLarge', ALL, refuse.headersTooLarge(), 'The headers exceed 16 KB.', NO_CURE],
  ]
}

function serverErrors(): Row[] {
  return [
    ['internal', BOTH, refuse.internal(), 'A fault of the service.', 'Tell the operator.'],
    ['busy', BOTH, refuse.busy(), 'The memory for waiting requests is full.', LATER],
    ['stopping', BOTH, refuse.stopping(), 'The server is being stopped.', LATER],
    ['storeDown', BOTH, refuse.storeDown(), 'Usage cannot be recorded.', LATER],
    [
      'fuzzyTooLong',
      DEDUPE,
      refuse.fuzzyTooLong(),
      "Fuzzy matching took longer than the operator's limit.",
      'Retrying the same request does not help.',
    ],
  ]
}
