import { addLocalCommands, createProgram } from '@keepfirst/cli'
import { writeShellFiles } from './files.ts'

const program = createProgram(new URL('../package.json', import.meta.url))
addLocalCommands(program)
writeShellFiles(program, new URL('../dist/', import.meta.url))
