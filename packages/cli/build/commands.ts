import type { Argument, Command, Option } from 'commander'

/** One command, as completions and the manual page describe it. */
export interface Entry {
  /** As it is called: `keepfirst keys create`. */
  fullName: string
  command: Command
  /** The names of its subcommands. */
  subcommands: string[]
  options: Option[]
  arguments: readonly Argument[]
}

/** All commands, starting with the program itself; each is followed by its subcommands. */
export function entriesOf(program: Command, parents: readonly string[] = []): Entry[] {
  const names = [...parents, program.name()]
  const entry: Entry = {
    fullName: names.join(' '),
    command: program,
    subcommands: program.commands.map((one) => one.name()),
    options: program.createHelp().visibleOptions(program),
    arguments: program.registeredArguments,
  }
  return [entry, ...program.commands.flatMap((one) => entriesOf(one, names))]
}

/** The possible values of an option or an argument. */
export type Value = { kind: 'file' } | { kind: 'choice'; choices: readonly string[] } | { kind: 'free' }

/** @returns undefined for an option that takes no value */
export function valueOfOption({ flags, required, optional, argChoices }: Option): Value | undefined {
  if (!required && !optional) return undefined
  return valueFrom(/<FILE>/.test(flags), argChoices)
}

/** The possible values of an argument. */
export function valueOfArgument(argument: Argument): Value {
  return valueFrom(argument.name() === 'FILE', argument.argChoices)
}

/** One of these words. */
export function choiceOf(choices: readonly string[]): Value {
  return { kind: 'choice', choices }
}

function valueFrom(isFile: boolean, choices: readonly string[] | undefined): Value {
  if (isFile) return { kind: 'file' }
  return choices ? choiceOf(choices) : { kind: 'free' }
}

/** The short and long name of an option: `-h`, `--help`. */
export function namesOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name !== undefined)
}
