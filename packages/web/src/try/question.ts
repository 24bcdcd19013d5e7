import { completeOptions, type Mode, modeSpec, type OptionsOf, unreachable } from '@keepfirst/protocol'

/** What is asked of a list: the mode, and every option of it said. */
export type Question = { readonly [M in Mode]: { readonly mode: M; readonly options: OptionsOf<M> } }[Mode]

/** The options of every mode, so that a mode that is left and entered again has them still. */
export type AllOptions = { readonly [M in Mode]: OptionsOf<M> }

/** The defaults of the API (specification 2.2). */
export const DEFAULTS: AllOptions = {
  lines: completeOptions('lines', {}),
  rows: completeOptions('rows', {}),
  json: completeOptions('json', {}),
}

export function questionOf(mode: Mode, options: AllOptions): Question {
  switch (mode) {
    case 'lines':
      return { mode, options: options.lines }
    case 'rows':
      return { mode, options: options.rows }
    case 'json':
      return { mode, options: options.json }
    default:
      return unreachable(mode)
  }
}

/** Is this a question about rows that are nearly alike? */
export function isFuzzy(question: Question): boolean {
  return question.mode === 'rows' && question.options.fuzzy
}

/** What stands between the cells of a row. The API knows the comma alone; a page reads the others too. */
export const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

export const SEPARATOR_NAMES: Record<Separator, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

/** What a mode counts: `line`. */
export function nounOf(mode: Mode): string {
  return modeSpec(mode).noun[0]
}

/** What a mode counts, many of it: `lines`. */
export function nounsOf(mode: Mode): string {
  return modeSpec(mode).noun[1]
}
