import type { ReactElement } from 'preact/compat'

/** What stands at an address that leads nowhere. */
export function NotFound(): ReactElement {
  return (
    <div className="frame page-head">
      <h1>There is no page at this address</h1>
      <p className="muted">
        It may have been mistyped, or moved. <a href="/">Go to the first page.</a>
      </p>
    </div>
  )
}
