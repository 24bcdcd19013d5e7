import { describeErrors } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Table, Tag } from '../design/index.ts'
import { useOrigin } from '../shell/origin.ts'
import { Prose } from './Prose.tsx'

const COLUMNS = [{ title: 'Status' }, { title: 'Body' }, { title: 'When' }, { title: 'On' }] as const

/** Every error with its very body. */
export function Errors(): ReactElement {
  const errors = describeErrors(useOrigin())
  return (
    <Table caption="Errors and their bodies" columns={COLUMNS}>
      {errors.map(({ name, on, when, refusal }) => (
        <tr key={name}>
          <th scope="row">
            <Tag tone={refusal.status < 500 ? 'warn' : 'bad'}>{refusal.status}</Tag>
          </th>
          <td className="error-body">
            {refusal.body.error}
            {Object.keys(refusal.body).length > 1 && (
              <span className="error-more">
                {Object.entries(refusal.body)
                  .filter(([member]) => member !== 'error')
                  .map(([member, value]) => (
                    <span key={member}>
                      {member}: {JSON.stringify(value)}
                    </span>
                  ))}
              </span>
            )}
          </td>
          <td className="error-when">
            <Prose text={when} />
          </td>
          <td className="muted">{on.length > 1 ? 'both' : on}</td>
        </tr>
      ))}
    </Table>
  )
}
