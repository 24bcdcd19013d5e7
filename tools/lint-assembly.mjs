// Lints the AssemblyScript of the kernels, as part of `npm run check`. Biome can read it as TypeScript if decorators
// are turned into comments, so it checks such a copy; line numbers stay the same. The formatter is not used: it would
// put every imported name and every parameter on its own line.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const { linter } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
const { rules } = linter
/** Without rules that do not suit AssemblyScript: `===` compares references there, and 64-bit integers are exact. */
const RULES = {
  ...rules,
  suspicious: { ...rules.suspicious, noDoubleEquals: 'off' },
  correctness: { ...rules.correctness, noPrecisionLoss: 'off' },
  style: { ...rules.style, useImportType: 'off' },
}

const folder = mkdtempSync(join(tmpdir(), 'keepfirst-assembly-'))
try {
  const copy = join(folder, 'assembly')
  cpSync(join(ROOT, 'packages/engine/assembly'), copy, { recursive: true })
  for (const name of readdirSync(copy, { recursive: true })) {
    if (!name.endsWith('.ts')) continue
    const file = join(copy, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^(\s*)@(\w.*)$/gm, '$1// @$2'))
  }
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ linter: { ...linter, rules: RULES } }))
  const biome = join(ROOT, 'node_modules/.bin/biome')
  execFileSync(biome, ['lint', '--error-on-warnings', '--config-path', folder, copy], { stdio: 'inherit' })
} catch (error) {
  process.exitCode = error.status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
