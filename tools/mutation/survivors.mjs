import { readFileSync } from 'node:fs'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** Prints each mutant that no test detects as soon as that is known, since a run may take hours. */
class Survivors {
  onMutantTested({ status, mutatorName, fileName, location: { start, end }, replacement }) {
    if (status !== 'Survived' && status !== 'NoCoverage') return
    const lines = readFileSync(fileName, 'utf8')
      .split('\n')
      .slice(start.line - 1, end.line)
    const last = lines.length - 1
    const endAt = last === 0 ? end.column - start.column : end.column - 1
    const original = lines.map((line, at) => (at === 0 ? line.slice(start.column - 1) : line))
    original[last] = original[last].slice(0, endAt)
    console.log(
      `${fileName}:${start.line}:${start.column} ${mutatorName}\n- ${original.join('\n- ')}\n+ ${replacement}`,
    )
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'survivors', Survivors)]
