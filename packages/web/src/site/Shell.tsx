import type { SiteFacts } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import { version } from '../../package.json'
import { type PageName, SITE } from './site.ts'

const NAVIGATION = [
  { page: 'home', title: 'Try it' },
  { page: 'reference', title: 'API' },
  { page: 'recipes', title: 'Recipes' },
  { page: 'keys', title: 'Keys' },
] as const satisfies readonly { page: PageName; title: string }[]

interface ShellProps {
  readonly current: PageName
  readonly facts: SiteFacts
  readonly children: ReactNode
}

/** The frame of every page: skip link, header, navigation, footer. */
export function Shell({ current, facts, children }: ShellProps): ReactElement {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="site-header">
        <div className="frame">
          <a className="brand" href="/">
            <Mark />
            Keepfirst
          </a>
          <nav className="site-nav" aria-label="Pages">
            {NAVIGATION.map(({ page, title }) => (
              <a key={page} href={SITE[page].path} aria-current={page === current ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer facts={facts} />
    </>
  )
}

function Footer({ facts }: { readonly facts: SiteFacts }): ReactElement {
  const { legalUrl } = facts
  return (
    <footer className="site-footer">
      <div className="frame">
        <p>Lists are processed in memory and never stored.</p>
        <nav aria-label="About this server">
          <ul className="row">
            <li>
              <a href="/about#contact">Contact</a>
            </li>
            <li>
              <a href="/about#privacy">Privacy</a>
            </li>
            {legalUrl !== null && (
              <li>
                <a href={legalUrl}>Legal notice and terms</a>
              </li>
            )}
            <li>
              <a href="/about#changes">Changes</a>
            </li>
            <li>
              <a href="/about#licence">MIT licence</a>
            </li>
            <li>
              <a href="/api/openapi.json">OpenAPI</a>
            </li>
            <li>Keepfirst {version}</li>
          </ul>
        </nav>
      </div>
    </footer>
  )
}

/** The logo: three equal entries, of which the first is kept. */
function Mark(): ReactElement {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect className="brand-first" x="2" y="3" width="16" height="4" rx="1.5" />
      <rect className="brand-rest" x="2" y="9" width="16" height="3" rx="1.5" />
      <rect className="brand-rest" x="2" y="14" width="16" height="3" rx="1.5" />
    </svg>
  )
}
