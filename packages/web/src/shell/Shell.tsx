import type { ReactElement, ReactNode } from 'preact/compat'

const PAGES = [
  { path: '/', title: 'Try it' },
  { path: '/api', title: 'API' },
  { path: '/app/keys', title: 'Keys' },
] as const

export type PagePath = (typeof PAGES)[number]['path']

/** What stands around every page: the way past the header, the three pages, the footer. Made at build time. */
export function Shell({
  current,
  children,
}: {
  readonly current?: PagePath | undefined
  readonly children: ReactNode
}): ReactElement {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="site-header">
        <div className="frame">
          <a className="brand" href="/">
            <Mark />
            Keepfirst
          </a>
          <nav className="site-nav" aria-label="Pages">
            {PAGES.map(({ path, title }) => (
              <a key={path} href={path} aria-current={path === current ? 'page' : undefined}>
                {title}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className="site-footer">
        <div className="frame">
          <p>Lists are worked on in memory and never stored.</p>
          <p>
            <a href="/api">API reference</a> · <a href="/api/openapi.json">OpenAPI description</a>
          </p>
        </div>
      </footer>
    </>
  )
}

/** Three equal entries; the first one is kept. */
function Mark(): ReactElement {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect className="brand-first" x="2" y="3" width="16" height="4" rx="1.5" />
      <rect className="brand-rest" x="2" y="9" width="16" height="3" rx="1.5" />
      <rect className="brand-rest" x="2" y="14" width="16" height="3" rx="1.5" />
    </svg>
  )
}
