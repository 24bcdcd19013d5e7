import type { ButtonHTMLAttributes, ReactElement, ReactNode } from 'preact/compat'
import { classes } from './classes.ts'

interface Look {
  /** At most one `primary` per view; `quiet` inside bars; `danger` for actions that can't be undone. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean | undefined
  readonly className?: string
}

function buttonClass({ look = 'plain', small = false }: Look, more: string | undefined): string {
  return classes('button', look !== 'plain' && `button-${look}`, small && 'button-small', more)
}

export function Button({
  look,
  small,
  className,
  type = 'button',
  ...rest
}: Look & Omit<ButtonHTMLAttributes, 'className'>): ReactElement {
  return <button {...rest} type={type} className={buttonClass({ look, small }, className)} />
}

interface ButtonLinkProps extends Look {
  readonly href: string
  /** Whether the address is a file to download rather than a page to visit. */
  readonly download?: boolean
  readonly children: ReactNode
}

/** A link that looks like a button. */
export function ButtonLink({ look, small, className, ...rest }: ButtonLinkProps): ReactElement {
  return <a {...rest} className={buttonClass({ look, small }, className)} />
}
