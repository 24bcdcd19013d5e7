import type { ButtonHTMLAttributes, ReactElement, ReactNode } from 'preact/compat'
import { classes } from './classes.ts'

interface ButtonStyle {
  /** At most one `primary` per view; `quiet` inside bars; `danger` for actions that can't be undone. */
  readonly variant?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean | undefined
}

function buttonClass({ variant = 'plain', small = false }: ButtonStyle): string {
  return classes('button', variant !== 'plain' && `button-${variant}`, small && 'button-small')
}

/** A button; unless told otherwise, one that does not submit the form around it. */
export function Button({
  variant,
  small,
  type = 'button',
  ...rest
}: ButtonStyle & Omit<ButtonHTMLAttributes, 'className'>): ReactElement {
  return <button {...rest} type={type} className={buttonClass({ variant, small })} />
}

interface ButtonLinkProps extends ButtonStyle {
  readonly href: string
  /** Whether the address is a file to download rather than a page to visit. */
  readonly download?: boolean
  readonly children: ReactNode
}

/** A link that looks like a button. */
export function ButtonLink({ variant, small, ...rest }: ButtonLinkProps): ReactElement {
  return <a {...rest} className={buttonClass({ variant, small })} />
}
