import { shellQuoted } from '@keepfirst/protocol'
import type { Command } from 'commander'
import { choiceOf, type Entry, entriesOf, namesOf, type Value, valueOfArgument, valueOfOption } from './commands.ts'

/** Completions for bash 3.2 and newer. */
export function bashCompletions(program: Command): string {
  const entries = entriesOf(program)
  const commands = entries.slice(1).map(({ fullName }) => shellQuoted(fullName))
  return `# Completions of ${program.name()} for bash: written at build time, to be sourced.
_keepfirst() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command=${program.name()} i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
      ${commands.join(' | ')}) command+=" \${COMP_WORDS[i]}" ;;
    esac
  done
  # bash splits --flag=value at the equals sign.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case "$command $before" in
${entries.flatMap(optionValues).join('\n')}
  esac
  if [[ $word == -* ]]; then
    case $command in
${entries.map(flags).join('\n')}
    esac
    return
  fi
  case $command in
${entries.map(operands).join('\n')}
  esac
}

_keepfirst_words() {
  COMPREPLY=($(compgen -W "$1" -- "$word"))
}

_keepfirst_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$word"))
}

complete -F _keepfirst ${program.name()}
`
}

function optionValues({ fullName, options }: Entry): string[] {
  return options.flatMap((option) => {
    const value = valueOfOption(option)
    if (!value) return []
    const patterns = namesOf(option).map((name) => shellQuoted(`${fullName} ${name}`))
    return [`    ${patterns.join(' | ')}) ${offer([value])}; return ;;`]
  })
}

function flags({ fullName, options }: Entry): string {
  return `      ${shellQuoted(fullName)}) _keepfirst_words ${shellQuoted(options.flatMap(namesOf).join(' '))} ;;`
}

function operands({ fullName, subcommands, arguments: operands }: Entry): string {
  const values = subcommands.length > 0 ? [choiceOf(subcommands)] : operands.map(valueOfArgument)
  return `    ${shellQuoted(fullName)}) ${offer(values)} ;;`
}

/** The shell command that offers the possible values; nothing is offered for free text. */
function offer(values: readonly Value[]): string {
  if (values.some(({ kind }) => kind === 'file')) return '_keepfirst_files'
  const choices = values.flatMap((value) => (value.kind === 'choice' ? value.choices : []))
  return choices.length > 0 ? `_keepfirst_words ${shellQuoted(choices.join(' '))}` : ':'
}
