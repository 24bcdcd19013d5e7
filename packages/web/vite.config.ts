import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { sharedHead } from './build/head.ts'
import { ship } from './build/ship.ts'
import { SITE } from './src/site/site.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Builds what browsers load: one HTML file per page, with its scripts and styles. The server fills in the text; see
 * `vite.render.ts`.
 */
export default defineConfig({
  root: here('.'),
  plugins: [sharedHead(), ship(here('../service/dist/pages'))],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The content security policy of the pages allows neither data: URLs nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Compressing at the highest level is slow; that needs no warning.
      checks: { pluginTimings: false },
      input: Object.values(SITE).map(({ file }) => here(file)),
    },
  },
})
