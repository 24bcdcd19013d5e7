import { FUZZY_ROWS } from '../plans.ts'
import type { Schema } from './types.ts'

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const text = (description: string): Schema => ({ type: 'string', description })
const flag = (description: string, preset: boolean): Schema => ({ type: 'boolean', default: preset, description })
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description })

/** An object that has exactly these members, all of them. */
function exactly(description: string, properties: Record<string, Schema>): Schema {
  return { type: 'object', description, required: Object.keys(properties), additionalProperties: false, properties }
}

/** The body of a deduplication in one mode. */
function request(mode: string, description: string, data: Schema): Schema {
  return {
    type: 'object',
    description,
    required: ['mode', 'data'],
    properties: {
      mode: { type: 'string', const: mode, description: 'Says what kind of list `data` is.' },
      data,
      options: reference(`${mode[0]?.toUpperCase()}${mode.slice(1)}Options`),
    },
  }
}

/** The answer to a deduplication in one mode. */
function answer(description: string, result: Schema, counted: string): Schema {
  return exactly(description, {
    result,
    kept: count(`How many ${counted} survived.`),
    removed: count(`How many ${counted} were dropped because an earlier one equals them.`),
  })
}

const options: Record<string, Schema> = {
  LinesOptions: {
    type: 'object',
    description: 'Options of lines mode. Members that are not named here are ignored.',
    properties: {
      trim: flag(
        'Strips white space at both ends of each line before comparing; the result has the trimmed line.',
        false,
      ),
      ignoreCase: flag('Compares without regard to case; the first spelling is returned as it came.', false),
      dropEmpty: flag('Leaves empty lines out, after `trim`; they count as neither kept nor removed.', false),
    },
  },
  RowsOptions: {
    type: 'object',
    description: 'Options of rows mode. Members that are not named here are ignored.',
    properties: {
      keyColumns: {
        type: 'array',
        items: { type: 'integer', minimum: 0 },
        default: [],
        description: 'Columns, counted from 0, that make two rows duplicates. Empty: the whole row.',
      },
      hasHeader: flag('The first row is a header: always returned first, never compared, not billed.', true),
      caseSensitive: flag('When false, keys are compared without regard to case. Has no meaning beside `fuzzy`.', true),
      fuzzy: flag(
        `Compares normalised keys by edit distance, so that "Smith, John" meets "John Smyth". Needs a key; at most ${FUZZY_ROWS.toLocaleString('en-US')} data rows.`,
        false,
      ),
      threshold: {
        type: 'number',
        minimum: 0.5,
        maximum: 1,
        default: 0.9,
        description: 'Similarity from which two fuzzy keys are duplicates. 1: equal after normalisation.',
      },
    },
  },
  JsonOptions: {
    type: 'object',
    description: 'Options of json mode. Members that are not named here are ignored.',
    properties: {
      key: {
        type: 'string',
        default: '',
        description:
          'Dot path to the value that identifies an item (`user.id`, `tags.0`). Empty: the whole item. Items in which the path leads nowhere share one key.',
      },
    },
  },
}

const requests: Record<string, Schema> = {
  DedupeRequest: {
    description: 'A list and what makes two of its entries duplicates.',
    oneOf: [reference('LinesRequest'), reference('RowsRequest'), reference('JsonRequest')],
    discriminator: {
      propertyName: 'mode',
      mapping: {
        lines: '#/components/schemas/LinesRequest',
        rows: '#/components/schemas/RowsRequest',
        json: '#/components/schemas/JsonRequest',
      },
    },
  },
  LinesRequest: request('lines', 'Lines of text.', text('The lines, broken by `\\r\\n`, `\\n` or `\\r`.')),
  RowsRequest: request(
    'rows',
    'Rows of CSV.',
    text('CSV: commas, double quotes (doubled inside quotes), rows broken by `\\r\\n`, `\\n` or `\\r`.'),
  ),
  JsonRequest: request('json', 'Items of JSON.', {
    type: 'array',
    items: {},
    description: 'Items of any kind; those that survive come back as the very text they were.',
  }),
  ValidateRequest: {
    type: 'object',
    description: 'Email addresses to look at.',
    required: ['emails'],
    properties: {
      emails: { type: 'array', items: { type: 'string' }, description: 'The addresses, in the order of the answer.' },
    },
  },
}

const answers: Record<string, Schema> = {
  DedupeAnswer: {
    description: 'What survived, in the order in which it came.',
    anyOf: [reference('LinesAnswer'), reference('RowsAnswer'), reference('JsonAnswer')],
  },
  LinesAnswer: answer(
    'Answer in lines mode.',
    { type: 'array', items: { type: 'string' }, description: 'The lines that survived.' },
    'lines',
  ),
  RowsAnswer: answer(
    'Answer in rows mode.',
    text('CSV with the header, if there is one, and the rows that survived, joined by `\\n`.'),
    'data rows',
  ),
  JsonAnswer: answer(
    'Answer in json mode.',
    { type: 'array', items: {}, description: 'The items that survived.' },
    'items',
  ),
  ValidateAnswer: exactly('A verdict for each address, and their sums.', {
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
    disposable: { type: 'boolean', description: 'The domain hands out throw-away addresses.' },
    role: {
      type: 'boolean',
      description: 'A function and not a person (`info@`, `sales@`). Does not make it invalid.',
    },
  }),
  ValidateSummary: exactly('How many addresses are what.', {
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
    limit: count('The limit that was met: units of one request, of the period, or requests of a burst window.'),
    units: count('Units that this request costs.'),
    used: count('Units that the account has used this month.'),
    resets: { type: 'string', format: 'date-time', description: 'When the monthly allowance is whole again (UTC).' },
    windowSeconds: count('Length of the burst window in seconds.'),
    retryAfter: {
      type: 'integer',
      minimum: 1,
      description: 'Seconds until the burst window ends; also in `Retry-After`.',
    },
  },
}

/** Specification 2: every body that goes over the wire, by name. */
export const SCHEMAS: { readonly [name: string]: Schema } = { ...requests, ...options, ...answers, Error: errorBody }
