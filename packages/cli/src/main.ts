import { addLocalCommands } from './commands.ts'
import { createProgram, runProgram } from './program.ts'

const program = createProgram(new URL('../package.json', import.meta.url))
addLocalCommands(program)
await runProgram(program)
