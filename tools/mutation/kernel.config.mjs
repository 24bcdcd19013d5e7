import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const { KERNEL } = process.env

/** The engine's quick tests; the kernel comes from the file that KERNEL names, in base64, instead of the build. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  plugins: [
    {
      name: 'keepfirst:mutant',
      enforce: 'pre',
      load: (id) => {
        if (KERNEL === undefined || !id.endsWith('/src/core/kernel.bytes.ts')) return undefined
        return `export const kernelBytes = '${readFileSync(KERNEL, 'utf8')}'`
      },
    },
  ],
  test: {
    include: ['packages/engine/test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'packages/engine/test/{fuzzy/**,core/{assertions,bounded-work}.test.ts}'],
    env: { RUNS: '0.03' },
    bail: 1,
    maxWorkers: 2,
  },
})
