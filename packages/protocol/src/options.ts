import { type Mode, modeSpec, type OptionSpec, type OptionsOf } from './modes.ts'
import { grouped } from './numbers.ts'
import { unreachable } from './unreachable.ts'

/** The options of a mode by name, in their order. */
export function optionsOf(mode: Mode): readonly (readonly [name: string, option: OptionSpec])[] {
  return Object.entries(modeSpec(mode).options)
}

/** Is this an object that has every option of the mode, each with a value that it may have? */
export function isOptionsOf<M extends Mode>(mode: M, value: unknown): value is OptionsOf<M> {
  if (typeof value !== 'object' || value === null) return false
  const given = new Map<string, unknown>(Object.entries(value))
  return optionsOf(mode).every(([name, option]) => isValueOf(option, given.get(name)))
}

/** What is asked of a list: the mode, and every option of it said. */
export type Question = { readonly [M in Mode]: { readonly mode: M; readonly options: OptionsOf<M> } }[Mode]

/** @throws TypeError when these are not all options of the mode */
export function toQuestion(mode: Mode, options: unknown): Question {
  const question = { mode, options }
  if (!isQuestion(question)) throw new TypeError(`not options of ${mode} mode: ${JSON.stringify(options)}`)
  return question
}

function isQuestion(asked: { readonly mode: Mode; readonly options: unknown }): asked is Question {
  return isOptionsOf(asked.mode, asked.options)
}

/** Is this a value that the option may have? */
export function isValueOf(option: OptionSpec, value: unknown): boolean {
  switch (option.type) {
    case 'boolean':
    case 'string':
      return typeof value === option.type
    case 'number':
      return typeof value === 'number' && value >= option.minimum && value <= option.maximum
    case 'integers':
      return Array.isArray(value) && value.every((each) => Number.isInteger(each) && each >= option.minimum)
    default:
      return unreachable(option)
  }
}

/** The options of a mode: the values given, and the default of every option that is not among them. */
export function completeOptions<M extends Mode>(mode: M, given: { readonly [name: string]: unknown }): OptionsOf<M> {
  const values = Object.fromEntries(optionsOf(mode).map(([name, option]) => [name, given[name] ?? option.default]))
  if (!isOptionsOf(mode, values)) throw new TypeError(`not options of ${mode} mode: ${JSON.stringify(given)}`)
  return values
}

/**
 * Those options that are not at their default and have a meaning beside the others: what a caller has to write
 * down to ask for the same.
 */
export function spokenOptions<M extends Mode>(mode: M, options: OptionsOf<M>): { readonly [name: string]: unknown } {
  const values = new Map<string, unknown>(Object.entries(options))
  const isOn = (other: string | undefined): boolean => other !== undefined && values.get(other) === true
  const spoken = optionsOf(mode).filter(([name, { onlyWith, notWith, default: preset }]) => {
    const means = (onlyWith === undefined || isOn(onlyWith)) && !isOn(notWith)
    return means && String(values.get(name)) !== String(preset)
  })
  return Object.fromEntries(spoken.map(([name]) => [name, values.get(name)]))
}

/** A count with its noun: `1 line`, `2,000 rows`. */
export function counted(count: number, mode: Mode): string {
  const [one, many] = modeSpec(mode).noun
  return `${grouped(count)} ${count === 1 ? one : many}`
}
