import type { ReactElement } from 'preact/compat'

/** A link after a title to its own anchor. */
export function AnchorLink({ id, title }: { readonly id: string; readonly title: string }): ReactElement {
  return (
    <a className="anchor-link" href={`#${id}`} aria-label={`Link to ${title}`}>
      #
    </a>
  )
}
