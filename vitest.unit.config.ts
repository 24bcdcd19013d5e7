import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { EACH, RUN } from './vitest.config.ts'

const PACKAGES = join(import.meta.dirname, 'packages')

/**
 * What the packages export, from their sources: `dist/NAME.js` is made from `src/NAME.ts`.
 * @returns the file behind each name that can be imported, the longest names first
 */
function sources(): { find: RegExp; replacement: string }[] {
  return readdirSync(PACKAGES).flatMap((folder) => {
    const manifest: { name: string; exports?: { [path: string]: { default: string } | string } } = JSON.parse(
      readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'),
    )
    return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
      if (typeof target === 'string') return []
      const source = target.default.replace(/^\.\/dist\/(.*)\.js$/, 'src/$1.ts')
      return [{ find: new RegExp(`^${manifest.name}${path.slice(1)}$`), replacement: join(PACKAGES, folder, source) }]
    })
  })
}

/** Tests of single packages, run from the sources: `npm run test:unit -- engine`. */
export default defineConfig({
  resolve: { alias: sources() },
  test: {
    ...RUN,
    ...EACH,
    include: ['packages/*/test/**/*.test.ts'],
    pool: 'threads', // they start sooner than processes
  },
})
