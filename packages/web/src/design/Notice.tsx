import type { ReactElement, ReactNode } from 'preact/compat'
import { classes } from './classes.ts'

interface NoticeProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  readonly title?: string
  readonly children?: ReactNode
  /** Whether it answers something the reader just did and should be read out when it appears. */
  readonly live?: boolean
}

/** Something the reader should know. `bad` and live is read out at once, other live ones when it suits. */
export function Notice({ tone = 'plain', title, children, live = false }: NoticeProps): ReactElement {
  const role = live ? (tone === 'bad' ? 'alert' : 'status') : undefined
  return (
    <div className={classes('notice', tone !== 'plain' && `notice-${tone}`)} role={role}>
      {title && <p className="notice-title">{title}</p>}
      {children}
    </div>
  )
}
