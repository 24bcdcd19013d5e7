import {
  completeOptions,
  isOptionsOf,
  MODES,
  type Mode,
  modeSpec,
  type OptionsOf,
  type Question,
  toQuestion,
} from '@keepfirst/protocol'

export type { Question } from '@keepfirst/protocol'

/** The options of every mode, so that switching modes back and forth keeps them. */
export type AllOptions = { readonly [M in Mode]: OptionsOf<M> }

/** The defaults of the API (specification 2.2). */
export const DEFAULTS: AllOptions = allDefaults()

function allDefaults(): AllOptions {
  const defaults = Object.fromEntries(MODES.map((mode) => [mode, completeOptions(mode, {})]))
  if (!areAllOptions(defaults)) throw new TypeError('a mode is without its options')
  return defaults
}

function areAllOptions(options: { readonly [mode: string]: unknown }): options is AllOptions {
  return MODES.every((mode) => isOptionsOf(mode, options[mode]))
}

/** The question for a mode, with its options. */
export function questionOf(mode: Mode, options: AllOptions): Question {
  return toQuestion(mode, options[mode])
}

/** Whether the question is a fuzzy comparison of rows. */
export function isFuzzy(question: Question): boolean {
  return question.mode === 'rows' && question.options.fuzzy
}

/** Separators between the cells of a row. The API accepts only commas; the page also reads the others. */
export const SEPARATORS = [',', ';', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

export const SEPARATOR_NAMES: Record<Separator, string> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

/** What a mode counts, in the singular: `line`. */
export function nounOf(mode: Mode): string {
  return modeSpec(mode).noun[0]
}

/** What a mode counts, in the plural: `lines`. */
export function nounsOf(mode: Mode): string {
  return modeSpec(mode).noun[1]
}
