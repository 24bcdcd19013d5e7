import type { Command, Option } from 'commander'
import { type Entry, entriesOf, type Value, valueOfArgument, valueOfOption } from './commands.ts'

/** Completions for fish: one line for each subcommand, argument and option. */
export function fishCompletions(program: Command): string {
  return `# Completions of ${program.name()} for fish: written at build time.
complete -c ${program.name()} -f
${entriesOf(program).flatMap(linesOf).join('\n')}
`
}

function linesOf({ fullName, command, subcommands, options, arguments: operands }: Entry): string[] {
  const [name = '', ...called] = fullName.split(' ')
  const start = `complete -c ${name} -n ${quoted(condition(called, subcommands))}`
  return [
    ...command.commands.map((one) => `${start} -a ${one.name()} -d ${quoted(one.description())}`),
    ...operands.map(valueOfArgument).flatMap((value) => (value.kind === 'free' ? [] : [`${start} ${offer(value)}`])),
    ...options.map((option) => `${start} ${optionParts(option).join(' ')}`),
  ]
}

/** The command has been typed, and none of its subcommands. */
function condition(called: readonly string[], subcommands: readonly string[]): string {
  if (called.length === 0) return '__fish_use_subcommand'
  const seen = called.map((word) => `__fish_seen_subcommand_from ${word}`)
  const unseen = subcommands.length > 0 ? [`not __fish_seen_subcommand_from ${subcommands.join(' ')}`] : []
  return [...seen, ...unseen].join('; and ')
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

/** Within single quotes, fish requires a backslash before a quote and before a backslash. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
