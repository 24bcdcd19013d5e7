import type { ApiDescription } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import { Fields } from './Fields.tsx'

interface GroupProps {
  readonly title: string
  readonly id: string
  readonly children: ReactNode
}

/** Fields that belong together, under an anchor. */
export function Group({ title, id, children }: GroupProps): ReactElement {
  return (
    <div className="ref-group" id={id}>
      <h3>{title}</h3>
      {children}
    </div>
  )
}

interface ModeProps extends GroupProps {
  readonly api: ApiDescription
  /** How the schemas of the mode begin. */
  readonly name: 'Lines' | 'Rows' | 'Json'
}

/** One mode: what is sent, its options, and (as children) what makes two entries equal. */
export function Mode({ api, name, children, ...group }: ModeProps): ReactElement {
  return (
    <Group {...group}>
      <p className="muted">{children}</p>
      <Fields api={api} schema={`${name}Request`} without={['options']} />
      <Fields api={api} schema={`${name}Options`} inside="options." />
    </Group>
  )
}
