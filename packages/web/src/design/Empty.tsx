import type { ReactElement, ReactNode } from 'preact/compat'

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Shown in place of an empty list; says how to add the first entry. */
export function Empty({ title, children }: EmptyProps): ReactElement {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
