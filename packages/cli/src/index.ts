/*
 * What a program needs that has the local commands and others besides.
 */
export { addLocalCommands } from './commands.ts'
export { type Documentation, document, documentationOf, EXIT_CODES } from './documentation.ts'
export { createProgram, runProgram, versionOf } from './program.ts'
