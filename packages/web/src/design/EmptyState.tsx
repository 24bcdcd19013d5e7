import type { ReactElement, ReactNode } from 'preact/compat'

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Shown in place of an empty list; says how to add the first entry. */
export function EmptyState({ title, children }: EmptyStateProps): ReactElement {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  )
}
