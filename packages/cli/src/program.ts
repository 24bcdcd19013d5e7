import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { BrokenPipe, UserError } from './errors.ts'
import { print, printAside } from './print.ts'

const USAGE_ERROR = 2
/** As a shell shows it of any program that a broken pipe ends: 128 and the signal's number. */
const BROKEN_PIPE = 141

/**
 * The program without its commands; commands that are added inherit how it speaks and ends.
 * @param manifest the `package.json` whose version it has
 */
export function createProgram(manifest: URL): Command {
  return new Command('keepfirst')
    .description('Removes duplicates from lists: first one kept, order kept, nothing else touched.')
    .version(versionOf(manifest), '-V, --version', 'print the version')
    .configureOutput({ writeOut: print, writeErr: printAside })
    .showHelpAfterError('(--help shows how it is used)')
    .exitOverride()
}

/** The version that a `package.json` has. */
export function versionOf(manifest: URL): string {
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
  return version
}

/** Runs what the process was called with, and sets its exit code (`EXIT_CODES`). */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (fault) {
    process.exitCode = exitCodeOf(fault)
    // What commander ends with it has said already.
    if (!(fault instanceof CommanderError || fault instanceof BrokenPipe)) printAside(`keepfirst: ${words(fault)}\n`)
  }
}

function exitCodeOf(fault: unknown): number {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? 0 : USAGE_ERROR
  return fault instanceof BrokenPipe ? BROKEN_PIPE : 1
}

/** What the user can put right is said in one line; anything else is ours and keeps its trace. */
function words(fault: unknown): string {
  if (fault instanceof UserError) return fault.message
  return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)
}
