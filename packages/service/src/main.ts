import { runProgram } from '@keepfirst/cli'
import { commandLine } from './command-line.ts'

await runProgram(commandLine())
