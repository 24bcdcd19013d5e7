import { writeShellFiles } from '../../cli/build/files.ts'
import { commandLine } from '../src/command-line.ts'

writeShellFiles(commandLine(), new URL('../dist/', import.meta.url))
