/** What the command line says of an option; the flag's name is the option's in kebab case where none is given. */
interface FlagSpec {
  readonly name?: string
  /** How the value is called in the help. */
  readonly value?: string
  readonly help: string
}

interface OptionFacts {
  /** Label of a control. */
  readonly title: string
  /** What it does; names of code in backticks. */
  readonly description: string
  readonly flag?: FlagSpec
  /** The option without which this one has no meaning. */
  readonly onlyWith?: string
  /** The option beside which this one has no meaning. */
  readonly notWith?: string
}

/** One option of a mode (specification 2.2). Bounds are inclusive. */
export type OptionSpec = OptionFacts &
  (
    | { readonly type: 'boolean'; readonly default: boolean }
    | { readonly type: 'number'; readonly default: number; readonly minimum: number; readonly maximum: number }
    | { readonly type: 'string'; readonly default: string }
    | { readonly type: 'integers'; readonly default: readonly number[]; readonly minimum: number }
  )

/** One kind of list: how it is called, sent and returned, and what can be asked of it. */
export interface ModeSpec {
  /** Heading, tab. */
  readonly title: string
  readonly summary: string
  /** What makes two entries duplicates, and what else a caller stumbles over. */
  readonly equality: string
  /** What it counts: one, and many. */
  readonly noun: readonly [one: string, many: string]
  /** The ending of files that hold such a list, without the dot. */
  readonly extension: string
  /** The ending of files that tell what was removed and because of which survivor. */
  readonly reportExtension: string
  readonly mediaType: string
  /** The member `data` of a request; `expects` is its type in the words of the error message. */
  readonly data: { readonly type: 'string' | 'array'; readonly expects: string; readonly description: string }
  /** The member `result` of an answer. */
  readonly result: { readonly type: 'strings' | 'string' | 'array'; readonly description: string }
  /** In the order in which they are shown and checked. */
  readonly options: { readonly [name: string]: OptionSpec }
}

/** Specification 1.2, 2.1 and 2.2. Whatever depends on modes and their options is made from this table. */
export const MODE_SPECS = {
  lines: {
    title: 'Lines',
    summary: 'Lines of text.',
    equality:
      'Two lines are equal when their characters are. Only `\\r\\n`, `\\n` and `\\r` break lines, and a break at the very end is followed by one more, empty line.',
    noun: ['line', 'lines'],
    extension: 'txt',
    reportExtension: 'tsv',
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
        flag: { help: 'strip white space around each line; the stripped line is what stays' },
      },
      ignoreCase: {
        type: 'boolean',
        default: false,
        title: 'Ignore case',
        description: 'Compares without regard to case; the first spelling is returned as it came.',
        flag: { help: 'compare without regard to case' },
      },
      dropEmpty: {
        type: 'boolean',
        default: false,
        title: 'Drop empty lines',
        description: 'Leaves empty lines out, after `trim`; they count as neither kept nor removed.',
        flag: { help: 'leave empty lines out' },
      },
    },
  },
  rows: {
    title: 'CSV rows',
    summary: 'Rows of CSV.',
    equality:
      'Rows are compared by their cells, so that needless quotes make no difference. For person names a threshold from 0.85 to 0.92 works best, with the name columns alone as key; with dates or house numbers among them, stay at 0.92 or above.',
    noun: ['row', 'rows'],
    extension: 'csv',
    reportExtension: 'csv',
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
        type: 'integers',
        default: [],
        minimum: 0,
        title: 'Compare by',
        description: 'Columns, counted from 0, that make two rows duplicates. Empty: the whole row.',
        flag: { value: '<columns>', help: 'compare these columns alone, by name or by number from 0: email,2' },
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
        description: 'When false, keys are compared without regard to case. Has no meaning beside `fuzzy`.',
        flag: { name: '--ignore-case', help: 'compare without regard to case' },
        notWith: 'fuzzy',
      },
      fuzzy: {
        type: 'boolean',
        default: false,
        title: 'Fuzzy',
        description:
          'Compares normalised keys by edit distance, so that "Smith, John" meets "John Smyth". Needs a key.',
        flag: { help: 'rows that are nearly alike are duplicates, too' },
      },
      threshold: {
        type: 'number',
        default: 0.9,
        minimum: 0.5,
        maximum: 1,
        title: 'Threshold',
        description: 'Similarity from which two fuzzy keys are duplicates. 1: equal after normalisation.',
        flag: { help: 'how alike, for --fuzzy: 0.5 to 1' },
        onlyWith: 'fuzzy',
      },
    },
  },
  json: {
    title: 'JSON',
    summary: 'Items of JSON.',
    equality:
      'Items are equal when their texts are, white space, string escapes and the spelling of a number aside. The order of members counts. Survivors keep every digit.',
    noun: ['item', 'items'],
    extension: 'json',
    reportExtension: 'jsonl',
    mediaType: 'application/json',
    data: {
      type: 'array',
      expects: 'array',
      description: 'Items of any kind; those that are kept come back as the very text they were.',
    },
    result: { type: 'array', description: 'The items that were kept.' },
    options: {
      key: {
        type: 'string',
        default: '',
        title: 'Compare by path',
        description:
          'Dot path to the value that identifies an item (`user.id`, `tags.0`). Empty: the whole item. Items in which the path leads nowhere share one key.',
        flag: { value: '<path>', help: 'compare what stands at this path in each item: a.b' },
      },
    },
  },
} as const

type Specs = typeof MODE_SPECS

/** The kinds of lists (specification 1.2). */
export type Mode = keyof Specs
export const MODES: readonly Mode[] = Object.keys(MODE_SPECS).filter(isMode)

/** What a metered call is recorded as. */
export type CallMode = Mode | 'validate'
export const CALL_MODES: readonly CallMode[] = [...MODES, 'validate']

type ValueOf<Option> = Option extends { readonly type: 'boolean' }
  ? boolean
  : Option extends { readonly type: 'number' }
    ? number
    : Option extends { readonly type: 'string' }
      ? string
      : readonly number[]

/** All options of a mode with a value each: what is compared by, once defaults have taken their places. */
export type OptionsOf<M extends Mode> = {
  readonly [Name in keyof Specs[M]['options']]: ValueOf<Specs[M]['options'][Name]>
}

/** Options as a caller sends them (specification 2.2); what is absent takes its default. */
export type LinesOptions = Partial<OptionsOf<'lines'>>
export type RowsOptions = Partial<OptionsOf<'rows'>>
export type JsonOptions = Partial<OptionsOf<'json'>>

/** A mode as one of many, where it does not matter which. */
export function modeSpec(mode: Mode): ModeSpec {
  return MODE_SPECS[mode]
}

/** Is this the name of a mode? */
export function isMode(name: string): name is Mode {
  return Object.hasOwn(MODE_SPECS, name)
}
