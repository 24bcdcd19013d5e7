import type { ReactElement } from 'preact/compat'

/** A link after a title to its own anchor. */
export function LinkMark({ id, title }: { readonly id: string; readonly title: string }): ReactElement {
  return (
    <a className="link-mark" href={`#${id}`} aria-label={`Link to ${title}`}>
      #
    </a>
  )
}
