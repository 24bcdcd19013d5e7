/*
 * For programs that combine the local commands with their own.
 */
export { addLocalCommands } from './commands.ts'
export { type Documentation, document, documentationOf, EXIT_CODES } from './documentation.ts'
export { createProgram, runProgram, versionOf } from './program.ts'
