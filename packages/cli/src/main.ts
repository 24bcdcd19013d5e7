import { addLocalCommands } from './commands.ts'
import { createProgram, runProgram } from './program.ts'

const program = createProgram(new URL('../package.json', import.meta.url))
addLocalCommands(program)
const isLocal = program.commands.some((command) => command.name() === process.argv[2])
const whole = isLocal ? undefined : mainOfKeepfirst()
if (whole === undefined) await runProgram(program)
else await import(whole)

/**
 * When the package `keepfirst` is installed as well, npm links only one command for both packages: this one. It leaves
 * commands that it does not know to the other package's main module, whose URL this is.
 */
function mainOfKeepfirst(): string | undefined {
  try {
    return import.meta.resolve('keepfirst/main')
  } catch {
    return undefined
  }
}
