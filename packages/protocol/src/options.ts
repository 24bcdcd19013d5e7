import { type Mode, modeSpec, type OptionSpec, type OptionsOf } from './modes.ts'
import { withNoun } from './numbers.ts'
import { unreachable } from './unreachable.ts'

/** The options of a mode by name, in order. */
export function optionsOf(mode: Mode): readonly (readonly [name: string, option: OptionSpec])[] {
  return Object.entries(modeSpec(mode).options)
}

/** Whether this is an object with every option of the mode, each with a permitted value. */
export function isOptionsOf<M extends Mode>(mode: M, value: unknown): value is OptionsOf<M> {
  if (typeof value !== 'object' || value === null) return false
  const given = new Map<string, unknown>(Object.entries(value))
  return optionsOf(mode).every(([name, option]) => isValueOf(option, given.get(name)))
}

/** What to do with a list: the mode and a value for each of its options. */
export type Question = { readonly [M in Mode]: { readonly mode: M; readonly options: OptionsOf<M> } }[Mode]

/** @throws TypeError when an option is missing or its value is not permitted */
export function toQuestion(mode: Mode, options: unknown): Question {
  const question = { mode, options }
  if (!isQuestion(question)) throw new TypeError(`not options of ${mode} mode: ${JSON.stringify(options)}`)
  return question
}

function isQuestion(asked: { readonly mode: Mode; readonly options: unknown }): asked is Question {
  return isOptionsOf(asked.mode, asked.options)
}

/** Whether the option may have this value. */
export function isValueOf(option: OptionSpec, value: unknown): boolean {
  switch (option.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'path':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && value >= option.minimum && value <= option.maximum
    case 'columns':
      return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= option.minimum)
    default:
      return unreachable(option)
  }
}

/** Fills in defaults for the options of a mode that are not given. @throws TypeError when a value is not permitted */
export function completeOptions<M extends Mode>(mode: M, given: { readonly [name: string]: unknown }): OptionsOf<M> {
  const values = Object.fromEntries(optionsOf(mode).map(([name, option]) => [name, given[name] ?? option.default]))
  if (!isOptionsOf(mode, values)) throw new TypeError(`not options of ${mode} mode: ${JSON.stringify(given)}`)
  return values
}

/**
 * The options that differ from their defaults and have an effect given the others: the least that a caller has to
 * write.
 */
export function spokenOptions<M extends Mode>(mode: M, options: OptionsOf<M>): { readonly [name: string]: unknown } {
  const values = new Map<string, unknown>(Object.entries(options))
  const isOn = (other: string | undefined): boolean => other !== undefined && values.get(other) === true
  const spoken = optionsOf(mode).filter(([name, { onlyWith, notWith, default: preset }]) => {
    const hasEffect = (onlyWith === undefined || isOn(onlyWith)) && !isOn(notWith)
    return hasEffect && String(values.get(name)) !== String(preset)
  })
  return Object.fromEntries(spoken.map(([name]) => [name, values.get(name)]))
}

/** What makes two entries of a mode duplicates, and how to choose the values of its options. */
export function equalityOf(mode: Mode): string {
  const advice = optionsOf(mode).flatMap(([, option]) => option.advice ?? [])
  return [modeSpec(mode).equality, ...advice].join(' ')
}

/** What is compared unless a part of it is chosen: `the whole row`. */
export function wholeEntry(mode: Mode): string {
  return `the whole ${modeSpec(mode).noun[0]}`
}

/** A count of a mode's entries: `1 line`, `2,000 rows`. */
export function counted(count: number, mode: Mode): string {
  return withNoun(count, ...modeSpec(mode).noun)
}
