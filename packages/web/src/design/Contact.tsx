import type { ReactElement } from 'preact/compat'

/** The operator's way to be asked, as a link where it is one. */
export function Contact({ contact }: { readonly contact: string | null }): ReactElement {
  if (contact === null) return <>Ask whoever runs this server.</>
  if (/^https?:\/\//.test(contact))
    return (
      <>
        Ask at <a href={contact}>{contact.replace(/^https?:\/\//, '')}</a>.
      </>
    )
  if (/^\S+@\S+$/.test(contact))
    return (
      <>
        Write to <a href={`mailto:${contact}`}>{contact}</a>.
      </>
    )
  return <>{contact}</>
}
