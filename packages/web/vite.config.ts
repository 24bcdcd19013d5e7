import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { sharedHead } from './build/head.ts'
import { ship } from './build/ship.ts'
import { SITE } from './src/site/site.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * What browsers load: an HTML file a page with its scripts and styles. The words come in later, see `vite.render.ts`.
 */
export default defineConfig({
  root: here('.'),
  plugins: [sharedHead(), ship(here('../service/dist/pages'))],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The pages' policy allows no data: addresses and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Compressing for good takes its time; that is no news.
      checks: { pluginTimings: false },
      input: Object.values(SITE).map(({ file }) => here(file)),
    },
  },
})
