import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'
import type * as Pages from './pages.tsx'

/**
 * Writes each page's words into its HTML, so that they stand there before any script runs and nothing
 * moves when one does. What reacts to the reader are islands with an id, which their page's script hydrates.
 */
export function prerender(): Plugin {
  return {
    name: 'keepfirst:prerender',
    async transformIndexHtml(html, { path }) {
      const pages = await runnerImport<typeof Pages>(fileURLToPath(new URL('pages.tsx', import.meta.url)))
      const words = pages.module.wordsOf(path)
      return html.replace('<!--page-->', () => words)
    },
  }
}
