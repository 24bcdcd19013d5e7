import { type DescribedError, describeErrors } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Tag } from '../design/index.ts'
import { useOrigin } from '../shell/origin.ts'
import { AnchorLink } from './AnchorLink.tsx'
import { Prose } from './Prose.tsx'

/** Every error with its exact body, when it occurs, and what to do. */
export function Errors(): ReactElement {
  return (
    <ul className="errors">
      {describeErrors(useOrigin()).map((error) => (
        <ErrorEntry key={error.name} error={error} />
      ))}
    </ul>
  )
}

function ErrorEntry({ error }: { readonly error: DescribedError }): ReactElement {
  const { name, when, cure, on, refusal } = error
  const { status, body } = refusal
  const { error: message, ...more } = body
  const id = `error-${name}`
  return (
    <li id={id} className="error">
      <Tag tone={status < 500 ? 'warn' : 'bad'}>{status}</Tag>
      <div>
        <p data-entry={`${status} ${message}`}>
          <code className="error-message">{message}</code>
          <AnchorLink id={id} title={`${status} ${message}`} />
        </p>
        {Object.keys(more).length > 0 && (
          <p className="error-more">
            {Object.entries(more).map(([member, value]) => (
              <code key={member}>
                {member}: {JSON.stringify(value)}
              </code>
            ))}
          </p>
        )}
      </div>
      <p className="error-when">
        <Prose text={when} /> <Prose text={cure} />
      </p>
      <p className="error-on">{on.length > 1 ? 'any request' : on.join()}</p>
    </li>
  )
}
