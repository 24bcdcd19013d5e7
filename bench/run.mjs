// npm run bench -- NAME […]: runs bench/NAME.mjs. The tools that the product is compared with are installed on first
// use, and again when their list changes.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const here = import.meta.dirname
const [name = ''] = process.argv.slice(2)
const file = join(here, `${name}.mjs`)
if (!/^[a-z-]+$/.test(name) || name === 'run' || !existsSync(file)) {
  console.error('usage: npm run bench -- NAME, a file in bench/')
  process.exit(2)
}
const install = ['node_modules/.package-lock.json', 'package-lock.json', '--', 'npm ci --no-audit --no-fund']
const { status } = spawnSync(process.execPath, [join(here, '../tools/when-changed.mjs'), ...install], {
  cwd: here,
  stdio: 'inherit',
})
if (status !== 0) process.exit(status ?? 1)
await import(file)
