import type { ReactElement } from 'react'

export function HomePage(): ReactElement {
  return (
    <div className="frame page-head">
      <h1>Remove duplicates. Keep the first.</h1>
    </div>
  )
}
