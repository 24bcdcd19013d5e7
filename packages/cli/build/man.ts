import { documentationOf, EXIT_CODES } from '@keepfirst/cli'
import type { Argument, Command, Option } from 'commander'
import { type Entry, entriesOf } from './commands.ts'

/** The manual page, in the man macros of roff (man(7)). */
export function manPage(program: Command): string {
  const entries = entriesOf(program)
  const version = program.version() ?? ''
  return [
    `.TH ${program.name().toUpperCase()} 1 "" ${quoted(`${program.name()} ${version}`)} "User Commands"`,
    '.SH NAME',
    `${escaped(program.name())} \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    ...entries.filter(({ subcommands }) => subcommands.length === 0).flatMap(synopsis),
    '.SH OPTIONS',
    ...options(program),
    '.SH COMMANDS',
    ...entries.filter(({ subcommands }) => subcommands.length === 0).flatMap(section),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(({ code, means }) => term(`.B ${code}`, sentence(means))),
    '',
  ].join('\n')
}

function synopsis({ fullName, command }: Entry): string[] {
  return [`.B ${escaped(fullName)}`, escaped(command.usage()), '.br']
}

function section({ fullName, command, arguments: operands }: Entry): string[] {
  const help = command.createHelp()
  return [
    `.SS ${quoted(fullName)}`,
    sentence(command.description()),
    ...operands.flatMap((one: Argument) => term(`.I ${escaped(one.name())}`, sentence(help.argumentDescription(one)))),
    ...options(command),
    ...documentation(command),
  ]
}

function options(command: Command): string[] {
  const help = command.createHelp()
  return help
    .visibleOptions(command)
    .flatMap((one: Option) => term(`.B ${escaped(one.flags)}`, sentence(help.optionDescription(one))))
}

function documentation(command: Command): string[] {
  const { notes = [], examples = [], environment = [] } = documentationOf(command) ?? {}
  return [
    ...notes.flatMap((note) => ['.PP', escaped(note)]),
    '.PP',
    'Examples:',
    ...examples.flatMap(({ typed, does }) => term(`.B ${escaped(typed)}`, sentence(does))),
    '.PP',
    'Environment:',
    ...environment.flatMap(({ name, says }) => term(`.B ${escaped(name)}`, sentence(says))),
  ]
}

function term(name: string, meaning: string): string[] {
  return ['.TP', name, meaning]
}

function sentence(text: string): string {
  return escaped(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`
}

/** Escapes text for roff: hyphens stay minus signs that can be copied, other scripts are written as code points. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(
      /[^\x20-\x7e]/gu,
      (one) => `\\[u${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^(?=[.'])/, '\\&')
}
