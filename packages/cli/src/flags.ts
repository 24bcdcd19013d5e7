import {
  completeOptions,
  flagOf,
  isValueOf,
  type Mode,
  type OptionSpec,
  type OptionsOf,
  optionsOf,
  unreachable,
  wholeEntry,
} from '@keepfirst/protocol'
import { type Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import { type ColumnChoice, parseColumns } from './columns.ts'

/*
 * The flags for a mode's options, derived from the same table as the API. What only the command line has (column names,
 * other delimiters) is added in `commands.ts`.
 */

/** An option of the API, as a flag. */
interface ApiFlag {
  readonly name: string
  readonly spec: OptionSpec
  readonly option: Option
}

/** Adds a flag for each of the mode's API options. */
export function addApiFlags(command: Command, mode: Mode): void {
  const flags = apiFlags(mode)
  for (const { option } of flags) command.addOption(option)
  command.hook('preAction', (_, called) => {
    const isGiven = ({ option }: ApiFlag) => called.getOptionValueSource(option.attributeName()) === 'cli'
    for (const flag of flags.filter(isGiven)) {
      const other = flags.find(({ name }) => name === flag.spec.onlyWith)
      if (other && !isGiven(other))
        called.error(`error: ${flag.option.long} has no effect without ${other.option.long}; give both or neither`)
    }
  })
}

/** The mode's API options from the parsed flags, without the columns, which may be names here. */
export function apiOptions<M extends Mode>(mode: M, values: OptionValues): OptionsOf<M> {
  const given = apiFlags(mode).flatMap(({ name, spec, option }) => {
    const value: unknown = values[option.attributeName()]
    if (spec.type === 'boolean') return value === !option.negate ? [[name, !spec.default]] : []
    return spec.type === 'columns' ? [] : [[name, value]]
  })
  return completeOptions(mode, Object.fromEntries(given))
}

function apiFlags(mode: Mode): ApiFlag[] {
  return optionsOf(mode).map(([name, spec]) => ({ name, spec, option: optionFor(mode, name, spec) }))
}

function optionFor(mode: Mode, name: string, spec: OptionSpec): Option {
  const { short, long, value, help } = flagOf(name, spec)
  const flags = [short === undefined ? long : `${short}, ${long}`, ...(value === undefined ? [] : [value])].join(' ')
  const option = new Option(flags, help)
  switch (spec.type) {
    case 'boolean':
      return option
    case 'path':
      return option.default(spec.default, spec.default === '' ? wholeEntry(mode) : undefined)
    case 'number':
      return option.default(spec.default).argParser((text) => numberIn(text, spec))
    case 'columns':
      return option.argParser(columnChoice)
    default:
      return unreachable(spec)
  }
}

const DECIMAL = /^\d*\.?\d+$/

function numberIn(text: string, spec: OptionSpec & { type: 'number' }): number {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN
  if (!isValueOf(spec, number)) throw new InvalidArgumentError(`A number between ${spec.minimum} and ${spec.maximum}.`)
  return number
}

/** A flag that is repeated adds columns, as in `sort`. */
function columnChoice(text: string, before: ColumnChoice = []): ColumnChoice {
  const list = parseColumns(text)
  if (!list) throw new InvalidArgumentError('Use column names or numbers from 0, separated by commas.')
  return [...before, list]
}
