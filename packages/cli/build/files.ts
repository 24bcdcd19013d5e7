import { mkdirSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { bashCompletions } from './bash.ts'
import { fishCompletions } from './fish.ts'
import { manPage } from './man.ts'
import { zshCompletions } from './zsh.ts'

/** Generates completions and the manual page from the program's own definition, and writes them into a folder. */
export function writeShellFiles(program: Command, folder: URL): void {
  write('completions', 'keepfirst.bash', bashCompletions(program))
  write('completions', '_keepfirst', zshCompletions(program))
  write('completions', 'keepfirst.fish', fishCompletions(program))
  write('man', 'keepfirst.1', manPage(program))

  function write(kind: string, name: string, text: string): void {
    mkdirSync(new URL(`${kind}/`, folder), { recursive: true })
    writeFileSync(new URL(`${kind}/${name}`, folder), text)
  }
}
