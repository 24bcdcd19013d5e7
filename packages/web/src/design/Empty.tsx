import type { ReactElement, ReactNode } from 'preact/compat'

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Stands where a list will be, and says how the first entry comes there. */
export function Empty({ title, children }: EmptyProps): ReactElement {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
