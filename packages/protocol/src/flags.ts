import type { Mode, OptionSpec, OptionsOf } from './modes.ts'
import { optionsOf, spokenOptions } from './options.ts'
import { unreachable } from './unreachable.ts'

/** An option on the command line. */
export interface Flag {
  /** `-k`; undefined if there is none. */
  readonly short: string | undefined
  /** `--no-header` */
  readonly long: string
  /** The name of its value in the help; undefined for a flag without a value. */
  readonly value: string | undefined
  readonly help: string
}

/** The flag for an option. A boolean's flag takes no value and sets the opposite of the default. */
export function flagOf(name: string, option: OptionSpec): Flag {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const long = option.flag?.name ?? (option.default === true ? `--no-${words}` : `--${words}`)
  return { short: option.flag?.short, long, value: valueName(option), help: helpOf(option) }
}

function helpOf(option: OptionSpec): string {
  const bounds = option.type === 'number' ? `: ${option.minimum} to ${option.maximum}` : ''
  return option.flag ? option.flag.help + bounds : option.description
}

function valueName(option: OptionSpec): string | undefined {
  switch (option.type) {
    case 'boolean':
      return undefined
    case 'number':
      return '<number>'
    case 'path':
      return '<path>'
    case 'columns':
      return '<columns>'
    default:
      return unreachable(option)
  }
}

/** The arguments to `keepfirst MODE` that set these options, not quoted for a shell. */
export function flagsOf<M extends Mode>(mode: M, options: OptionsOf<M>): readonly string[] {
  const spoken = new Map(Object.entries(spokenOptions(mode, options)))
  return optionsOf(mode)
    .filter(([name]) => spoken.has(name))
    .flatMap(([name, option]) => {
      const { long, value } = flagOf(name, option)
      return value === undefined ? [long] : [long, String(spoken.get(name))]
    })
}
