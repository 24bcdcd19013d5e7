// npm run bench -- NAME […]: runs bench/NAME.mjs.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const [name = ''] = process.argv.slice(2)
const file = join(import.meta.dirname, `${name}.mjs`)
if (!/^[a-z-]+$/.test(name) || name === 'run' || !existsSync(file)) {
  console.error('usage: npm run bench -- NAME, a file in bench/')
  process.exit(2)
}
await import(file)
