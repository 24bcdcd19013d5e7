/** What the command line says about an option. Without a name, the flag is the option's name in kebab case. */
interface FlagSpec {
  readonly name?: string
  /** The short form that comparable tools use. */
  readonly short?: string
  /** Without the bounds of a number, which are added. */
  readonly help: string
}

interface OptionFacts {
  /** The label of its control. */
  readonly title: string
  /** What it does; code in backticks. */
  readonly description: string
  /** How to choose its value. */
  readonly advice?: string
  readonly flag?: FlagSpec
  /** The option that this one requires to have any effect. */
  readonly onlyWith?: string
  /** The option that makes this one have no effect. */
  readonly notWith?: string
}

interface NumberFacts {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
  /** Likely values with their names. */
  readonly presets?: readonly { readonly value: number; readonly title: string }[]
}

/**
 * One option of a mode (specification 2.2). Bounds are inclusive. A `path` (dots lead to nested members) and `columns`
 * (counted from 0) name the part of an entry that is compared: the whole entry if they are empty.
 */
export type OptionSpec = OptionFacts &
  (
    | { readonly type: 'boolean'; readonly default: boolean }
    | ({ readonly type: 'number' } & NumberFacts)
    | { readonly type: 'path'; readonly default: string }
    | { readonly type: 'columns'; readonly default: readonly number[]; readonly minimum: number }
  )

/** One kind of list: its names, how it is sent and returned, and its options. */
export interface ModeSpec {
  /** For headings and tabs. */
  readonly title: string
  readonly summary: string
  /** What makes two entries duplicates, and other points worth knowing. */
  readonly equality: string
  /** What its entries are called, singular and plural. */
  readonly noun: readonly [one: string, many: string]
  /** The file extension for such a list, without the dot. */
  readonly extension: string
  /** The format, and file extension, of a report of removed entries and their survivors. */
  readonly report: 'tsv' | 'csv' | 'jsonl'
  readonly mediaType: string
  /** The member `data` of a request; `expects` is its type as the error message words it. */
  readonly data: { readonly type: 'string' | 'array'; readonly expects: string; readonly description: string }
  /** The member `result` of an answer. */
  readonly result: { readonly type: 'strings' | 'string' | 'array'; readonly description: string }
  /** In the order in which they are shown and validated. */
  readonly options: { readonly [name: string]: OptionSpec }
}

/** Specification 1.2, 2.1 and 2.2. Everything that depends on modes and their options is derived from this table. */
export const MODE_SPECS = {
  lines: {
    title: 'Lines',
    summary: 'Lines of text.',
    equality:
      'Two lines are equal when their characters are. Only `\\r\\n`, `\\n` and `\\r` break lines, and a break at the very end starts one more, empty line.',
    noun: ['line', 'lines'],
    extension: 'txt',
    report: 'tsv',
    mediaType: 'text/plain',
    data: {
      type: 'string',
      expects: 'string',
      description: 'The lines, separated by `\\r\\n`, `\\n` or `\\r`.',
    },
    result: { type: 'strings', description: 'The lines that were kept.' },
    options: {
      trim: {
        type: 'boolean',
        default: false,
        title: 'Trim lines',
        description: 'Strips white space at both ends of each line before comparing; the result has the trimmed line.',
        flag: { help: 'strip white space around each line, also in the output' },
      },
      ignoreCase: {
        type: 'boolean',
        default: false,
        title: 'Ignore case',
        description: 'Compares without regard to case; the first spelling is returned unchanged.',
        flag: { short: '-i', help: 'compare without regard to case' },
      },
      dropEmpty: {
        type: 'boolean',
        default: false,
        title: 'Drop empty lines',
        description: 'Drops empty lines, after `trim`; they count as neither kept nor removed.',
        flag: { help: 'drop empty lines' },
      },
    },
  },
  rows: {
    title: 'CSV rows',
    summary: 'CSV rows.',
    equality: 'Rows are compared by their cells, so needless quotes make no difference.',
    noun: ['row', 'rows'],
    extension: 'csv',
    report: 'csv',
    mediaType: 'text/csv',
    data: {
      type: 'string',
      expects: 'CSV string',
      description: 'CSV: commas, double quotes (doubled inside quotes), rows separated by `\\r\\n`, `\\n` or `\\r`.',
    },
    result: {
      type: 'string',
      description: 'CSV: the header, if there is one, and the rows that were kept, joined by `\\n`.',
    },
    options: {
      keyColumns: {
        type: 'columns',
        default: [],
        minimum: 0,
        title: 'Compare by',
        description: 'Columns, counted from 0, that make two rows duplicates. Empty: the whole row.',
        flag: { short: '-k', help: 'compare only these columns, by name or by number from 0: email,2' },
      },
      hasHeader: {
        type: 'boolean',
        default: true,
        title: 'First row is a header',
        description: 'The first row is a header: always returned first, never compared, not billed.',
        flag: { name: '--no-header', help: 'the first row is not a header' },
      },
      caseSensitive: {
        type: 'boolean',
        default: true,
        title: 'Case sensitive',
        description: 'When false, keys are compared without regard to case. Has no effect with `fuzzy`.',
        flag: { name: '--ignore-case', short: '-i', help: 'compare without regard to case' },
        notWith: 'fuzzy',
      },
      fuzzy: {
        type: 'boolean',
        default: false,
        title: 'Fuzzy',
        description: 'Compares normalised keys by edit distance, so "Smith, John" matches "John Smyth". Needs a key.',
        flag: { help: 'treat similar rows as duplicates, too' },
      },
      threshold: {
        type: 'number',
        default: 0.9,
        minimum: 0.5,
        maximum: 1,
        title: 'Threshold',
        description: 'Similarity at which two fuzzy keys count as duplicates. 1: equal after normalisation.',
        advice:
          'For personal names a threshold from 0.85 to 0.92 works best, with only the name columns as the key; if the key includes dates or house numbers, stay at 0.92 or above.',
        presets: [
          { value: 0.95, title: 'Strict' },
          { value: 0.9, title: 'Default' },
          { value: 0.85, title: 'Loose' },
        ],
        flag: { help: 'required similarity for --fuzzy' },
        onlyWith: 'fuzzy',
      },
    },
  },
  json: {
    title: 'JSON',
    summary: 'JSON items.',
    equality:
      'Items are equal when their texts are, apart from white space, string escapes and the notation of numbers. The order of members matters. Survivors keep every digit.',
    noun: ['item', 'items'],
    extension: 'json',
    report: 'jsonl',
    mediaType: 'application/json',
    data: {
      type: 'array',
      expects: 'array',
      description: 'Items of any kind; those that are kept come back with their exact text.',
    },
    result: { type: 'array', description: 'The items that were kept.' },
    options: {
      key: {
        type: 'path',
        default: '',
        title: 'Compare by path',
        description:
          'Dot path to the value that identifies an item (`user.id`, `tags.0`). Empty: the whole item. Items without a value at the path share one key.',
        flag: { short: '-k', help: 'compare the value at this path in each item: a.b' },
      },
    },
  },
} as const

type Specs = typeof MODE_SPECS

/** The kinds of lists (specification 1.2). */
export type Mode = keyof Specs
export const MODES: readonly Mode[] = Object.keys(MODE_SPECS).filter(isMode)

/** The mode that a metered call is recorded with. */
export type CallMode = Mode | 'validate'
export const CALL_MODES: readonly CallMode[] = [...MODES, 'validate']

type ValueOf<Option> = Option extends { readonly type: 'boolean' }
  ? boolean
  : Option extends { readonly type: 'number' }
    ? number
    : Option extends { readonly type: 'path' }
      ? string
      : readonly number[]

/** A value for every option of a mode, with defaults filled in. */
export type OptionsOf<M extends Mode> = {
  readonly [Name in keyof Specs[M]['options']]: ValueOf<Specs[M]['options'][Name]>
}

/** Options as a caller sends them (specification 2.2); absent ones take their defaults. */
export type LinesOptions = Partial<OptionsOf<'lines'>>
export type RowsOptions = Partial<OptionsOf<'rows'>>
export type JsonOptions = Partial<OptionsOf<'json'>>

/** A mode's entry with its general type, for callers that do not depend on the particular mode. */
export function modeSpec(mode: Mode): ModeSpec {
  return MODE_SPECS[mode]
}

/** Whether this is the name of a mode. */
export function isMode(name: string): name is Mode {
  return Object.hasOwn(MODE_SPECS, name)
}
