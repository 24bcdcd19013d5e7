import type { Argument, Command, Option } from 'commander'

/** One command as a shell or a reader meets it. */
export interface Entry {
  /** What calls it: `keepfirst keys create`. */
  words: string
  command: Command
  /** The names of the commands below it. */
  below: string[]
  options: Option[]
  arguments: readonly Argument[]
}

/** Every command, the program itself first, each followed by those below it. */
export function entriesOf(program: Command): Entry[] {
  return entriesBelow(program, [])
}

function entriesBelow(command: Command, above: readonly string[]): Entry[] {
  const words = [...above, command.name()]
  const entry: Entry = {
    words: words.join(' '),
    command,
    below: command.commands.map((one) => one.name()),
    options: command.createHelp().visibleOptions(command),
    arguments: command.registeredArguments,
  }
  return [entry, ...command.commands.flatMap((one) => entriesBelow(one, words))]
}

/** What may stand as an option's value or as an argument. */
export type Value = { kind: 'file' } | { kind: 'choice'; choices: readonly string[] } | { kind: 'free' }

/** Undefined for an option that takes no value. */
export function valueOfOption({ flags, required, optional, argChoices }: Option): Value | undefined {
  if (!required && !optional) return undefined
  return typed(/<FILE>/.test(flags), argChoices)
}

export function valueOfArgument(argument: Argument): Value {
  return typed(argument.name() === 'FILE', argument.argChoices)
}

function typed(isFile: boolean, choices: readonly string[] | undefined): Value {
  if (isFile) return { kind: 'file' }
  return choices ? { kind: 'choice', choices } : { kind: 'free' }
}

/** The names an option goes by: `-h`, `--help`. */
export function namesOf({ short, long }: Option): string[] {
  return [short, long].filter((name) => name !== undefined)
}

/** A word that a shell takes as it stands. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
