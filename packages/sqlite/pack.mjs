// Packs this package with what it holds: `node packages/sqlite/pack.mjs FOLDER`. In the repository its dependency stands
// elsewhere, and npm packs only what stands in the package's own folder.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const destination = resolve(process.argv[2] ?? '.')
const copy = mkdtempSync(join(tmpdir(), 'keepfirst-sqlite-'))
try {
  cpSync(import.meta.dirname, copy, { recursive: true })
  const file = join(copy, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const bundleDependencies = Object.keys(manifest.dependencies)
  writeFileSync(file, JSON.stringify({ ...manifest, bundleDependencies }, undefined, 2))
  const npm = (...args) => execFileSync('npm', args, { cwd: copy, stdio: ['ignore', 'inherit', 'inherit'] })
  npm('install', '--silent', '--ignore-scripts', '--prefer-offline')
  npm('pack', '--silent', '--pack-destination', destination)
} finally {
  rmSync(copy, { recursive: true })
}
