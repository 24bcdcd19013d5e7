import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Prints each mutant that no test detects as soon as that is known, since a run may take hours. */
class Survivors {
  onMutantTested({ status, mutatorName, fileName, location: { start, end }, replacement }) {
    if (status !== 'Survived' && status !== 'NoCoverage') return
    const lines = readFileSync(fileName, 'utf8').split('\n')
    const original = lines.slice(start.line - 1, end.line)
    original[original.length - 1] = original.at(-1).slice(0, end.column - 1)
    original[0] = original[0].slice(start.column - 1)
    console.log(`${relative('.', fileName)}:${start.line}:${start.column} ${mutatorName}`)
    console.log(`- ${original.join('\n- ')}\n+ ${replacement}`)
  }
}

export const strykerPlugins = [{ kind: 'Reporter', name: 'survivors', injectableClass: Survivors }]
