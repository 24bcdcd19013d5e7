import type { Argument, Command, Option } from 'commander'
import { type Entry, entriesOf } from './commands.ts'

/** The manual page, in the man macros of roff (man(7)). */
export function manPage(program: Command, version: string): string {
  const entries = entriesOf(program)
  return [
    `.TH ${program.name().toUpperCase()} 1 "" ${quoted(`${program.name()} ${version}`)} "User Commands"`,
    '.SH NAME',
    `${escaped(program.name())} \\- ${escaped(program.description())}`,
    '.SH SYNOPSIS',
    ...entries.filter(({ below }) => below.length === 0).flatMap(synopsis),
    '.SH COMMANDS',
    ...entries.filter(({ below }) => below.length === 0).flatMap(section),
    '.SH EXIT STATUS',
    ...term('.B 0', 'Done.'),
    ...term('.B 1', 'It could not be done: one line on standard error says why, and where.'),
    ...term('.B 2', 'A command that works on local files was called wrongly.'),
    ...term('.B 141', 'Whoever read the output has gone, as a shell shows it of any program in a pipe.'),
    '',
  ].join('\n')
}

function synopsis({ words, command }: Entry): string[] {
  return [`.B ${escaped(words)}`, escaped(command.usage()), '.br']
}

function section({ words, command, options, arguments: taken }: Entry): string[] {
  const help = command.createHelp()
  return [
    `.SS ${quoted(words)}`,
    sentence(command.description()),
    ...taken.flatMap((one: Argument) => term(`.I ${escaped(one.name())}`, sentence(help.argumentDescription(one)))),
    ...options.flatMap((one: Option) => term(`.B ${escaped(one.flags)}`, sentence(help.optionDescription(one)))),
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

/** Text that roff takes as text: hyphens are minus signs as they are typed, other scripts go by their code points. */
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
