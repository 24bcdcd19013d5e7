import { MODES, type Mode, modeSpec, type OptionSpec } from '../modes.ts'
import { equalityOf, optionsOf } from '../options.ts'
import { unreachable } from '../unreachable.ts'
import type { Schema } from './types.ts'

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const text = (description: string): Schema => ({ type: 'string', description })
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description })

/** An object with exactly these members, all required. */
function exactly(description: string, properties: Record<string, Schema>): Schema {
  return { type: 'object', description, required: Object.keys(properties), additionalProperties: false, properties }
}

/** `LinesRequest` for `lines` and `Request`: the schema of one mode. */
export function schemaName(mode: Mode, part: 'Request' | 'Options' | 'Answer'): string {
  return `${mode.charAt(0).toUpperCase()}${mode.slice(1)}${part}`
}

/** The body of a deduplication in one mode. */
function requestOf(mode: Mode): Schema {
  const { summary, data } = modeSpec(mode)
  const items = data.type === 'array' ? { items: {} } : {}
  return {
    type: 'object',
    description: `${summary} ${equalityOf(mode)}`,
    required: ['mode', 'data'],
    properties: {
      mode: { type: 'string', const: mode, description: 'The kind of list that `data` is.' },
      data: { type: data.type, ...items, description: data.description },
      options: reference(schemaName(mode, 'Options')),
    },
  }
}

/** The options of one mode. */
function optionsSchema(mode: Mode): Schema {
  return {
    type: 'object',
    description: `Options of ${mode} mode. Members that are not named here are ignored.`,
    properties: Object.fromEntries(optionsOf(mode).map(([name, option]) => [name, optionSchema(option)])),
  }
}

function optionSchema(option: OptionSpec): Schema {
  const { default: preset, description } = option
  switch (option.type) {
    case 'boolean':
      return { type: 'boolean', default: preset, description }
    case 'path':
      return { type: 'string', default: preset, description }
    case 'number':
      return { type: 'number', minimum: option.minimum, maximum: option.maximum, default: preset, description }
    case 'columns':
      return { type: 'array', items: { type: 'integer', minimum: option.minimum }, default: preset, description }
    default:
      return unreachable(option)
  }
}

/** The answer to a deduplication in one mode. */
function answerOf(mode: Mode): Schema {
  const { result } = modeSpec(mode)
  return exactly(`Answer in ${mode} mode.`, {
    result: { ...RESULT_TYPES[result.type], description: result.description },
    kept: count('How many entries were kept, not counting a header.'),
    removed: count('How many entries were dropped because an earlier one equals them.'),
  })
}

const RESULT_TYPES = {
  strings: { type: 'array', items: { type: 'string' } },
  string: { type: 'string' },
  array: { type: 'array', items: {} },
} as const satisfies { readonly [type: string]: Schema }

/** One schema per mode. */
function ofEachMode(part: 'Request' | 'Options' | 'Answer', make: (mode: Mode) => Schema): Record<string, Schema> {
  return Object.fromEntries(MODES.map((mode) => [schemaName(mode, part), make(mode)]))
}

const requests: Record<string, Schema> = {
  DedupeRequest: {
    description: 'A list and what makes two of its entries duplicates.',
    oneOf: MODES.map((mode) => reference(schemaName(mode, 'Request'))),
    discriminator: {
      propertyName: 'mode',
      mapping: Object.fromEntries(MODES.map((mode) => [mode, `#/components/schemas/${schemaName(mode, 'Request')}`])),
    },
  },
  ...ofEachMode('Request', requestOf),
  ValidateRequest: {
    type: 'object',
    description: 'Email addresses to validate.',
    required: ['emails'],
    properties: {
      emails: { type: 'array', items: { type: 'string' }, description: 'The addresses, in the order of the answer.' },
    },
  },
}

const answers: Record<string, Schema> = {
  DedupeAnswer: {
    description: 'What was kept, in its original order.',
    anyOf: MODES.map((mode) => reference(schemaName(mode, 'Answer'))),
  },
  ...ofEachMode('Answer', answerOf),
  ValidateAnswer: exactly('A verdict for each address, and totals.', {
    results: {
      type: 'array',
      items: reference('EmailVerdict'),
      description: 'One verdict for each address, in order.',
    },
    summary: reference('ValidateSummary'),
  }),
  EmailVerdict: exactly('What is known about one address.', {
    email: text('The address as it was sent.'),
    valid: {
      type: 'boolean',
      description:
        'True when the syntax is right, the domain is not disposable and a mail exchanger is not known to be missing.',
    },
    reason: {
      type: 'string',
      enum: ['ok', 'syntax', 'disposable', 'no_mx'],
      description: 'Why; the first that applies of `syntax`, `disposable` and `no_mx`, else `ok`.',
    },
    mx: {
      type: ['boolean', 'null'],
      description: 'Whether the domain has a mail exchanger. Null when the look-up failed or none was made.',
    },
    disposable: { type: 'boolean', description: 'The domain offers throw-away addresses.' },
    role: {
      type: 'boolean',
      description: 'A function rather than a person (`info@`, `sales@`). Does not make the address invalid.',
    },
  }),
  ValidateSummary: exactly('How many addresses got which verdict.', {
    total: count('All addresses.'),
    valid: count('Those with `valid` true.'),
    invalid: count('Those with `valid` false.'),
    disposable: count('Those with `disposable` true.'),
    role: count('Those with `role` true.'),
  }),
}

const errorBody: Schema = {
  type: 'object',
  description: 'The body of every answer that is not 2xx.',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: text('What is wrong, in words that do not change.'),
    limit: count('The limit that was reached: units per request, units per period, or requests per burst window.'),
    units: count('Units that this request costs.'),
    used: count('Units that the account has used this month.'),
    resets: { type: 'string', format: 'date-time', description: 'When the monthly allowance is reset (UTC).' },
    windowSeconds: count('Length of the burst window in seconds.'),
    retryAfter: {
      type: 'integer',
      minimum: 1,
      description: 'Seconds until the burst window ends; also in `Retry-After`.',
    },
  },
}

/** Specification 2: every body that goes over the wire, by name. */
export const SCHEMAS: { readonly [name: string]: Schema } = {
  ...requests,
  ...ofEachMode('Options', optionsSchema),
  ...answers,
  Error: errorBody,
}
