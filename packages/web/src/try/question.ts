import { type JsonOptions, type LinesOptions, type Mode, PLANS, type RowsOptions } from '@keepfirst/protocol'

/** What is asked of a list: the mode, and every option of it said. */
export type Question =
  | { readonly mode: 'lines'; readonly options: Required<LinesOptions> }
  | { readonly mode: 'rows'; readonly options: Required<RowsOptions> }
  | { readonly mode: 'json'; readonly options: Required<JsonOptions> }

/** The options of every mode, so that a mode that is left and entered again has them still. */
export interface AllOptions {
  readonly lines: Required<LinesOptions>
  readonly rows: Required<RowsOptions>
  readonly json: Required<JsonOptions>
}

/** The defaults of the API (specification 2.2). */
export const DEFAULTS: AllOptions = {
  lines: { trim: false, ignoreCase: false, dropEmpty: false },
  rows: { keyColumns: [], hasHeader: true, caseSensitive: true, fuzzy: false, threshold: 0.9 },
  json: { key: '' },
}

export function questionOf(mode: Mode, options: AllOptions): Question {
  if (mode === 'lines') return { mode, options: options.lines }
  if (mode === 'rows') return { mode, options: options.rows }
  return { mode, options: options.json }
}

/** Those options that are not at their default and mean something: what a caller has to write down. */
export function spokenOptions({ mode, options }: Question): Record<string, unknown> {
  const defaults: Record<string, unknown> = { ...DEFAULTS[mode] }
  const spoken = Object.entries(options).filter(([name, value]) => String(value) !== String(defaults[name]))
  const fuzzy = mode === 'rows' && options.fuzzy
  const idle = fuzzy ? 'caseSensitive' : 'threshold'
  return Object.fromEntries(spoken.filter(([name]) => name !== idle))
}

/** Singular and plural of what a mode counts. */
export const NOUNS: Record<Mode, readonly [one: string, many: string]> = {
  lines: ['line', 'lines'],
  rows: ['row', 'rows'],
  json: ['item', 'items'],
}

export function counted(count: number, mode: Mode): string {
  const [one, many] = NOUNS[mode]
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

/** The largest body that any plan takes, in bytes. */
export const LARGEST_BODY_BYTES: number = PLANS.pro.bodyBytes
