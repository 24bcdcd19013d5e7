import type { ReactElement, ReactNode } from 'preact/compat'
import { ButtonLink } from './Button.tsx'

interface ContactProps {
  /** An email address, a web address, a sentence, or nothing. */
  readonly contact: string | null
}

/** How to reach the operator, as a link where possible. */
export function Contact({ contact }: ContactProps): ReactElement {
  if (contact === null) return <>Ask the operator of this server.</>
  if (isWebAddress(contact))
    return (
      <>
        Contact us at <a href={contact}>{contact.replace(/^https?:\/\//, '')}</a>.
      </>
    )
  if (isEmailAddress(contact))
    return (
      <>
        Write to <a href={`mailto:${contact}`}>{contact}</a>.
      </>
    )
  return <>{contact}</>
}

interface ContactButtonProps extends ContactProps {
  /** The subject of the email that it opens. */
  readonly subject: string
  readonly children: ReactNode
}

/** The contact as a button, or as text if there is no address to open. */
export function ContactButton({ contact, subject, children }: ContactButtonProps): ReactElement {
  if (contact !== null && isWebAddress(contact)) return <ButtonLink href={contact}>{children}</ButtonLink>
  if (contact !== null && isEmailAddress(contact))
    return <ButtonLink href={`mailto:${contact}?subject=${encodeURIComponent(subject)}`}>{children}</ButtonLink>
  return (
    <span className="field-hint">
      <Contact contact={contact} />
    </span>
  )
}

function isWebAddress(contact: string): boolean {
  return /^https?:\/\//.test(contact)
}

function isEmailAddress(contact: string): boolean {
  return /^\S+@\S+$/.test(contact)
}
