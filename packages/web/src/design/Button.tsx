import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactElement } from 'react'
import { classes } from './classes.ts'

interface Look {
  /** One `primary` a view; `quiet` inside bars; `danger` for what can't be undone. */
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger' | undefined
  readonly small?: boolean | undefined
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
}: Look & ButtonHTMLAttributes<HTMLButtonElement>): ReactElement {
  return <button {...rest} type={type} className={buttonClass({ look, small }, className)} />
}

export function ButtonLink({
  look,
  small,
  className,
  href,
  ...rest
}: Look & { readonly href: string } & AnchorHTMLAttributes<HTMLAnchorElement>): ReactElement {
  return <a {...rest} href={href} className={buttonClass({ look, small }, className)} />
}
