import { readFileSync } from 'node:fs'
import { Command, CommanderError, type Option } from 'commander'
import { BrokenPipe, UserError } from './errors.ts'
import { onOneLine, print, printError } from './print.ts'

const USAGE_ERROR = 2
/** 128 plus the signal number (SIGPIPE), the shell's convention. */
const BROKEN_PIPE = 141

/**
 * Creates the program without commands; commands added to it inherit its error handling and output.
 * @param manifest URL of the `package.json` that holds the version
 */
export function createProgram(manifest: URL): Command {
  return new Command('keepfirst')
    .description('Removes duplicates from lists: first one kept, order kept, nothing else touched.')
    .version(versionOf(manifest), '-V, --version', 'print the version')
    .configureOutput({
      writeOut: print,
      writeErr: printError,
      // commander may add a line with a suggestion.
      outputError: (text, write) => write(text.split('\n').map(onOneLine).join('\n')),
    })
    .showHelpAfterError('(see --help for usage)')
    .exitOverride()
    .hook('preSubcommand', refuseRepeatedFlags)
}

/** Lets a flag with a value be given only once, since an earlier value would silently have no effect; lists add up. */
function refuseRepeatedFlags(_: Command, command: Command): void {
  command.hook('preSubcommand', refuseRepeatedFlags)
  const given = new Set<Option>()
  for (const option of command.options.filter(({ required }) => required)) {
    command.on(`option:${option.name()}`, () => {
      const isList = Array.isArray(command.getOptionValue(option.attributeName()))
      if (given.has(option) && !isList) command.error(`error: option '${option.flags}': Give this flag only once.`)
      given.add(option)
    })
  }
}

/** The version in a `package.json`. */
export function versionOf(manifest: URL): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}

/** Runs the command line of this process and sets its exit code (see `EXIT_CODES`). */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = exitCodeOf(error)
    // commander has already reported its own errors.
    if (!(error instanceof CommanderError || error instanceof BrokenPipe)) printError(`keepfirst: ${words(error)}\n`)
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR
  return error instanceof BrokenPipe ? BROKEN_PIPE : 1
}

/** A problem that the user can fix takes one line; anything else is a bug and keeps its stack trace. */
function words(error: unknown): string {
  if (error instanceof UserError) return onOneLine(error.message)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
