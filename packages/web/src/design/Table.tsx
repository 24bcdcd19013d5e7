import type { ReactElement, ReactNode } from 'preact/compat'

interface TableProps {
  /** What the table holds, for screen readers. */
  readonly caption: string
  readonly columns: readonly { readonly title: string; readonly number?: boolean | undefined }[]
  /** `<tr>` elements. */
  readonly children: ReactNode
}

/** A table that scrolls sideways on narrow screens, including by keyboard. */
export function Table({ caption, columns, children }: TableProps): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard (WCAG 2.1.1)
    <section className="table-frame" aria-label={caption} tabIndex={0}>
      <table className="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, number }) => (
              <th key={title} scope="col" className={number ? 'table-number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
