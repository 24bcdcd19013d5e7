import type { ReactElement, ReactNode } from 'preact/compat'
import { classes } from './classes.ts'

interface TagProps {
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  readonly children: ReactNode
}

/** A word or number in a pill, such as a status or a count. */
export function Tag({ tone = 'plain', children }: TagProps): ReactElement {
  return <span className={classes('tag', tone !== 'plain' && `tag-${tone}`)}>{children}</span>
}
