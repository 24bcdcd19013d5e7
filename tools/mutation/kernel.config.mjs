import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const { KERNEL } = process.env

/** Runs the engine's quick tests; if KERNEL names a file, the kernel is loaded from it, as base64. */
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
