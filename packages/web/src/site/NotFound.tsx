import type { ReactElement } from 'preact/compat'

/** The page for unknown addresses. */
export function NotFound(): ReactElement {
  return (
    <div className="frame page-head">
      <h1>There is no page at this address</h1>
      <p className="muted">
        It may have been mistyped, or moved. <a href="/">Go to the home page.</a>
      </p>
    </div>
  )
}
