import type { Command, Option } from 'commander'
import { type Entry, entriesOf, type Value, valueOfArgument, valueOfOption } from './commands.ts'

/** Completions for fish: one line for each thing that may stand somewhere. */
export function fishCompletions(program: Command): string {
  return `# Completions of ${program.name()} for fish: written at build time.
complete -c ${program.name()} -f
${entriesOf(program).flatMap(linesOf).join('\n')}
`
}

function linesOf({ words, command, below, options, arguments: taken }: Entry): string[] {
  const [name = '', ...called] = words.split(' ')
  const start = `complete -c ${name} -n ${quoted(condition(called, below))}`
  return [
    ...command.commands.map((one) => `${start} -a ${one.name()} -d ${quoted(one.description())}`),
    ...taken.map(valueOfArgument).flatMap((value) => (value.kind === 'free' ? [] : [`${start} ${offer(value)}`])),
    ...options.map((option) => `${start} ${optionParts(option).join(' ')}`),
  ]
}

/** These words were typed, and none of those that call a command further below. */
function condition(called: readonly string[], below: readonly string[]): string {
  if (called.length === 0) return '__fish_use_subcommand'
  const seen = called.map((word) => `__fish_seen_subcommand_from ${word}`)
  return [...seen, ...(below.length > 0 ? [`not __fish_seen_subcommand_from ${below.join(' ')}`] : [])].join('; and ')
}

function optionParts(option: Option): string[] {
  const value = valueOfOption(option)
  return [
    ...(option.short ? [`-s ${option.short.slice(1)}`] : []),
    ...(option.long ? [`-l ${option.long.slice(2)}`] : []),
    ...(value ? [`-r ${offer(value)}`] : []),
    `-d ${quoted(option.description)}`,
  ]
}

function offer(value: Value): string {
  switch (value.kind) {
    case 'file':
      return '-F'
    case 'choice':
      return `-f -a ${quoted(value.choices.join(' '))}`
    case 'free':
      return '-f'
  }
}

/** Within single quotes fish takes a backslash before a quote and before itself. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
