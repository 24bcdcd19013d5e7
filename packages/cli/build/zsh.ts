import { shellQuoted } from '@keepfirst/protocol'
import type { Argument, Command, Option } from 'commander'
import { type Entry, entriesOf, namesOf, type Value, valueOfArgument, valueOfOption } from './commands.ts'

/** Completions for zsh: one function for each command. */
export function zshCompletions(program: Command): string {
  const entries = entriesOf(program)
  return `#compdef ${program.name()}
# Completions of ${program.name()} for zsh: written at build time, to be put on $fpath or sourced.

${entries.map((entry) => (entry.subcommands.length > 0 ? group(entry) : single(entry))).join('\n')}
if [[ $funcstack[1] == _${program.name()} ]]; then
  _${program.name()} "$@"
else
  compdef _${program.name()} ${program.name()}
fi
`
}

function group({ fullName, command, options }: Entry): string {
  const commands = command.commands.map((one) => shellQuoted(`${one.name()}:${one.description()}`))
  const calls = command.commands.map((one) => `${one.name()}) ${functionName(`${fullName} ${one.name()}`)} ;;`)
  return `${functionName(fullName)}() {
  local curcontext=$curcontext state line
  local -a commands=(
    ${commands.join('\n    ')}
  )
  _arguments -C ${[...options.map(optionSpec), "'1: :->command'", "'*:: :->rest'"].join(' ')}
  case $state in
    command) _describe command commands ;;
    rest)
      case $line[1] in
        ${calls.join('\n        ')}
      esac
      ;;
  esac
}
`
}

function single({ fullName, options, arguments: operands }: Entry): string {
  const specs = [...options.map(optionSpec), ...operands.map(argumentSpec)]
  return `${functionName(fullName)}() {
  _arguments \\
    ${specs.join(' \\\n    ')}
}
`
}

function functionName(fullName: string): string {
  return `_${fullName.replaceAll(/[ -]/g, '_')}`
}

function optionSpec(option: Option): string {
  const names = namesOf(option)
  const value = valueOfOption(option)
  const takes = value ? `:${option.attributeName()}:${action(value)}` : ''
  const rest = shellQuoted(`[${escaped(option.description)}]${takes}`)
  return names.length === 1 ? `${names[0]}${rest}` : `'(${names.join(' ')})'{${names.join(',')}}${rest}`
}

function argumentSpec(argument: Argument): string {
  const place = argument.variadic ? '*' : ''
  return shellQuoted(`${place}:${escaped(argument.description)}:${action(valueOfArgument(argument))}`)
}

function action(value: Value): string {
  switch (value.kind) {
    case 'file':
      return '_files'
    case 'choice':
      return `(${value.choices.join(' ')})`
    case 'free':
      return ' '
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, '\\$&')
}
