import type { ReactElement } from 'preact/compat'

/** Stands behind a title and gives the address of what it names. */
export function LinkMark({ id, title }: { readonly id: string; readonly title: string }): ReactElement {
  return (
    <a className="link-mark" href={`#${id}`} aria-label={`Link to ${title}`}>
      #
    </a>
  )
}
