// Lints the AssemblyScript of the kernels and checks its format, as part of `npm run check`; with `--write`, corrects
// both (`npm run format`). Biome can read it as TypeScript if decorators are turned into comments, so it works on such a
// copy; line numbers stay the same.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = join(ROOT, 'packages/engine/assembly')
const { linter, formatter, javascript } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'))
const { rules } = linter
/** Without rules that do not suit AssemblyScript: `===` compares references there, and 64-bit integers are exact. */
const RULES = {
  ...rules,
  suspicious: { ...rules.suspicious, noDoubleEquals: 'off' },
  correctness: { ...rules.correctness, noPrecisionLoss: 'off' },
  style: { ...rules.style, useImportType: 'off' },
}

const isWriting = process.argv.includes('--write')
const folder = mkdtempSync(join(tmpdir(), 'keepfirst-assembly-'))
const copy = join(folder, 'assembly')
try {
  cpSync(SOURCES, copy, { recursive: true })
  const files = readdirSync(copy, { recursive: true }).filter((name) => name.endsWith('.ts'))
  for (const name of files) rewrite(join(copy, name), join(copy, name), /^(\s*)@(\w.*)$/gm, '$1// @$2')
  const assist = { actions: { source: { organizeImports: 'on' } } }
  const config = { linter: { ...linter, rules: RULES }, formatter, javascript, assist }
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(config))
  const check = isWriting ? ['check', '--write'] : ['ci']
  const biome = join(ROOT, 'node_modules/.bin/biome')
  execFileSync(biome, [...check, '--error-on-warnings', '--config-path', folder, copy], { stdio: 'inherit' })
  if (isWriting) {
    for (const name of files) rewrite(join(copy, name), join(SOURCES, name), /^(\s*)\/\/ @(\w.*)$/gm, '$1@$2')
  }
} catch (error) {
  process.exitCode = error.status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}

/** Leaves a file that would not change as it is, so that its kernel is not built again. */
function rewrite(from, to, pattern, replacement) {
  const text = readFileSync(from, 'utf8').replace(pattern, replacement)
  if (text !== readFileSync(to, 'utf8')) writeFileSync(to, text)
}
