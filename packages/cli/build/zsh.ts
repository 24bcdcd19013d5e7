import type { Argument, Command, Option } from 'commander'
import { type Entry, entriesOf, namesOf, quoted, type Value, valueOfArgument, valueOfOption } from './commands.ts'

/** Completions for zsh: a function of its own for each command. */
export function zshCompletions(program: Command): string {
  const entries = entriesOf(program)
  return `#compdef ${program.name()}
# Completions of ${program.name()} for zsh: written at build time, to be put on $fpath or sourced.

${entries.map((entry) => (entry.below.length > 0 ? group(entry) : single(entry))).join('\n')}
if [[ $funcstack[1] == _${program.name()} ]]; then
  _${program.name()} "$@"
else
  compdef _${program.name()} ${program.name()}
fi
`
}

function group({ words, command, options }: Entry): string {
  const commands = command.commands.map((one) => quoted(`${one.name()}:${one.description()}`))
  const calls = command.commands.map((one) => `${one.name()}) ${functionName(`${words} ${one.name()}`)} ;;`)
  return `${functionName(words)}() {
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

function single({ words, options, arguments: taken }: Entry): string {
  const specs = [...options.map(optionSpec), ...taken.map(argumentSpec)]
  return `${functionName(words)}() {
  _arguments \\
    ${specs.join(' \\\n    ')}
}
`
}

function functionName(words: string): string {
  return `_${words.replaceAll(/[ -]/g, '_')}`
}

function optionSpec(option: Option): string {
  const names = namesOf(option)
  const value = valueOfOption(option)
  const takes = value ? `:${option.attributeName()}:${action(value)}` : ''
  const rest = quoted(`[${escaped(option.description)}]${takes}`)
  return names.length === 1 ? `${names[0]}${rest}` : `'(${names.join(' ')})'{${names.join(',')}}${rest}`
}

function argumentSpec(argument: Argument): string {
  const place = argument.variadic ? '*' : ''
  return quoted(`${place}:${escaped(argument.description)}:${action(valueOfArgument(argument))}`)
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
