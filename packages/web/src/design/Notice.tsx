import type { ReactElement, ReactNode } from 'preact/compat'
import { classes } from './classes.ts'

interface NoticeProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  readonly title?: string
  readonly children?: ReactNode
  /** Whether it responds to something the user just did and should be announced when it appears. */
  readonly live?: boolean
}

/** A message for the user. If live, `bad` is announced at once, other tones when the screen reader is idle. */
export function Notice({ tone = 'plain', title, children, live = false }: NoticeProps): ReactElement {
  const role = live ? (tone === 'bad' ? 'alert' : 'status') : undefined
  return (
    <div className={classes('notice', tone !== 'plain' && `notice-${tone}`)} role={role}>
      {title && <p className="notice-title">{title}</p>}
      {children}
    </div>
  )
}
