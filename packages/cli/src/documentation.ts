import type { Command } from 'commander'

/** What a command's help and its manual page say besides its flags. */
export interface Documentation {
  /** The command line as typed, and what it does. */
  readonly examples: readonly { readonly typed: string; readonly does: string }[]
  /** Environment variables that the command reads, and their meaning. */
  readonly environment: readonly { readonly name: string; readonly says: string }[]
  /** Anything else worth knowing before using the command, one paragraph each. */
  readonly notes?: readonly string[]
}

/** Exit codes, listed at the end of every command's help. */
export const EXIT_CODES: readonly { readonly code: number; readonly means: string }[] = [
  { code: 0, means: 'done' },
  { code: 1, means: 'failed: one line on standard error says why, and where' },
  { code: 2, means: 'usage error' },
  { code: 141, means: 'the output was closed early (128 + SIGPIPE, as in any pipe)' },
]

const documents = new WeakMap<Command, Documentation>()

/** Appends a command's documentation to its help. */
export function document(command: Command, documentation: Documentation): Command {
  documents.set(command, documentation)
  return command.addHelpText('after', () => helpText(documentation))
}

/** The documentation that was given to a command. */
export function documentationOf(command: Command): Documentation | undefined {
  return documents.get(command)
}

const INDENT = '  '

function helpText({ examples, environment, notes = [] }: Documentation): string {
  return [
    ...notes.map((note) => `\n${wrapped(note)}`),
    '\nExamples:',
    ...examples.flatMap(({ typed, does }) => [`${INDENT}${typed}`, `${INDENT}${INDENT}${does}`]),
    '\nEnvironment:',
    ...columns(environment.map(({ name, says }) => [name, says])),
    '\nExit codes:',
    ...columns(EXIT_CODES.map(({ code, means }) => [String(code), means])),
  ].join('\n')
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `${INDENT}${first.padEnd(width)}${INDENT}${second}`)
}

const WIDTH = 80

function wrapped(text: string): string {
  return text.replaceAll(new RegExp(`(.{1,${WIDTH}})(?:\\s|$)`, 'g'), '$1\n').trimEnd()
}
