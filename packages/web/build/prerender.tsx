import type { ReactElement } from 'react'
import { renderToString } from 'react-dom/server'
import type { Plugin } from 'vite'
import { HomePage } from '../src/home/HomePage.tsx'
import { KeysPage } from '../src/keys/KeysPage.tsx'
import { Reference } from '../src/reference/Reference.tsx'
import { NotFound } from '../src/shell/NotFound.tsx'
import { type PagePath, Shell } from '../src/shell/Shell.tsx'

const PAGES: Record<string, { readonly path?: PagePath; readonly main: () => ReactElement }> = {
  '/index.html': { path: '/', main: () => <HomePage /> },
  '/api/index.html': {
    path: '/api',
    main: () => (
      <div id="reference">
        <Reference />
      </div>
    ),
  },
  '/app/keys/index.html': {
    path: '/app/keys',
    main: () => (
      <div id="keys" className="frame">
        <KeysPage />
      </div>
    ),
  },
  '/404.html': { main: () => <NotFound /> },
}

/**
 * Writes each page's words into its HTML, so that they stand there before any script runs and nothing
 * moves when one does. What reacts to the reader are islands with an id, which their page's script hydrates.
 */
export function prerender(): Plugin {
  return {
    name: 'keepfirst:prerender',
    transformIndexHtml(html, { path }) {
      const page = PAGES[path]
      if (!page) throw new Error(`no page is made for ${path}`)
      const words = renderToString(<Shell current={page.path}>{page.main()}</Shell>)
      return html.replace('<!--page-->', () => words)
    },
  }
}
