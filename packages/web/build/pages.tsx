import type { ReactElement } from 'preact/compat'
import { renderToString } from 'preact-render-to-string'
import { HomePage } from '../src/home/HomePage.tsx'
import { KeysPage } from '../src/keys/KeysPage.tsx'
import { Reference } from '../src/reference/Reference.tsx'
import { NotFound } from '../src/shell/NotFound.tsx'
import { type PagePath, Shell } from '../src/shell/Shell.tsx'

interface Page {
  /** Where it is served; the page for what is not there is served anywhere. */
  readonly path?: PagePath
  readonly main: () => ReactElement
}

const PAGES: { readonly [file: string]: Page } = {
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

/** @returns what stands in the body of a page, before any script runs */
export function wordsOf(file: string): string {
  const page = PAGES[file]
  if (!page) throw new Error(`no page is made for ${file}`)
  return renderToString(<Shell current={page.path}>{page.main()}</Shell>)
}
