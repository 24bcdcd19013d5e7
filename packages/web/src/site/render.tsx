import type { SiteFacts } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { renderToString } from 'preact-render-to-string'
import { HomePage } from '../home/HomePage.tsx'
import { KeysPage } from '../keys/KeysPage.tsx'
import { Reference } from '../reference/Reference.tsx'
import { Island } from '../shell/Island.tsx'
import { Origin } from '../shell/origin.ts'
import { AboutPage } from './AboutPage.tsx'
import { NotFound } from './NotFound.tsx'
import { RecipesPage } from './RecipesPage.tsx'
import { Shell } from './Shell.tsx'
import { type PageName, SITE } from './site.ts'

export { SITE }

const MAINS: { readonly [Name in PageName]: (facts: SiteFacts) => ReactElement } = {
  home: () => <HomePage />,
  reference: () => <Reference />,
  recipes: () => <RecipesPage />,
  keys: () => (
    <Island name="keys" className="frame">
      <KeysPage />
    </Island>
  ),
  about: (facts) => <AboutPage facts={facts} />,
  notFound: () => <NotFound />,
}

/**
 * Renders a page as the server sends it: complete before any script runs, with this server's own address and operator.
 * @param html the page's built HTML
 */
export function renderPage(name: PageName, html: string, facts: SiteFacts): string {
  const body = renderToString(
    <Origin.Provider value={facts.baseUrl}>
      <Shell current={name} facts={facts}>
        {MAINS[name](facts)}
      </Shell>
    </Origin.Provider>,
  )
  const origin = facts.baseUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return html.replace('<body>', () => `<body data-origin="${origin}">`).replace('<!--page-->', () => body)
}
