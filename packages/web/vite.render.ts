import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Builds what the server renders pages with on the first request for each: a single module that needs no other packages. */
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
