import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { prerender } from './build/prerender.ts'
import { ship } from './build/ship.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Three pages and one for what is not there, each one HTML file with its words already in it; see `build/` for what is our own. */
export default defineConfig({
  root: here('.'),
  plugins: [prerender(), ship(here('../service/dist/pages'))],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The pages' policy allows no data: addresses and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rolldownOptions: {
      // Compressing for good takes its time; that is no news.
      checks: { pluginTimings: false },
      input: [here('index.html'), here('api/index.html'), here('app/keys/index.html'), here('404.html')],
    },
  },
})
