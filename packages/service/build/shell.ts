import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { commandLine } from '../src/command-line.ts'
import { bashCompletions } from './bash.ts'
import { fishCompletions } from './fish.ts'
import { manPage } from './man.ts'
import { zshCompletions } from './zsh.ts'

/*
 * Writes what shells and `man` know of the command line into dist/, all of it from the program itself.
 */

const program = commandLine()
const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

write('completions/keepfirst.bash', bashCompletions(program))
write('completions/_keepfirst', zshCompletions(program))
write('completions/keepfirst.fish', fishCompletions(program))
write('man/keepfirst.1', manPage(program, version))

function write(name: string, text: string): void {
  const file = new URL(`../dist/${name}`, import.meta.url).pathname
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
