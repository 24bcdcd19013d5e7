import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** What the server makes the pages' words with when it starts: one module that needs no packages beside it. */
export default defineConfig({
  root: here('.'),
  ssr: { noExternal: true },
  build: {
    ssr: here('src/site/render.tsx'),
    outDir: here('../service/dist/pages'),
    emptyOutDir: false,
    target: 'node20',
    copyPublicDir: false,
  },
})
