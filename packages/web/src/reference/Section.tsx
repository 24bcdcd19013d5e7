import type { ReactElement, ReactNode } from 'preact/compat'
import { AnchorLink } from './AnchorLink.tsx'

interface SectionProps {
  readonly id: string
  readonly title: string
  /** An illustration, shown beside the text. */
  readonly aside?: ReactNode
  /** Further parts, at full width. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** A section of the reference with its anchor. */
export function Section({ id, title, aside, below, children }: SectionProps): ReactElement {
  return (
    <section id={id} className="ref-section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} data-entry={title}>
        {title}
        <AnchorLink id={id} title={title} />
      </h2>
      <div className={aside ? 'ref-split' : undefined}>
        <div className="stack ref-words">{children}</div>
        {aside && <div className="ref-aside">{aside}</div>}
      </div>
      {below}
    </section>
  )
}

/** A group of related fields with an anchor. */
export function Group({ id, title, children }: Omit<SectionProps, 'aside' | 'below'>): ReactElement {
  return (
    <div className="ref-group" id={id}>
      <h3 data-entry={title}>
        {title}
        <AnchorLink id={id} title={title} />
      </h3>
      {children}
    </div>
  )
}
