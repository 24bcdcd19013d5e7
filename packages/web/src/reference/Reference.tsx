import { DEDUPE_EXAMPLES, describeApi, VALIDATE_EXAMPLE } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { useOrigin } from '../shell/origin.ts'
import { Endpoint } from './Endpoint.tsx'
import { Errors } from './Errors.tsx'
import { Fields } from './Fields.tsx'
import { Group, Mode } from './Group.tsx'
import { Clients, Headers, Keys, Start, Units } from './sections.tsx'

const SECTIONS = [
  { id: 'start', title: 'Start' },
  { id: 'keys', title: 'Keys' },
  { id: 'dedupe', title: 'Remove duplicates' },
  { id: 'validate', title: 'Validate addresses' },
  { id: 'units', title: 'Units and plans' },
  { id: 'errors', title: 'Errors' },
  { id: 'headers', title: 'Headers and retries' },
  { id: 'clients', title: 'Clients' },
] as const

/** The whole reference, made from the OpenAPI description and the tables behind it. */
export function Reference(): ReactElement {
  const api = describeApi(useOrigin())
  return (
    <div className="frame reference">
      <nav className="ref-nav" aria-label="On this page">
        <ul>
          {SECTIONS.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="ref-content">
        <Start />
        <Keys />
        <Endpoint api={api} id="dedupe" path="/api/dedupe" exchanges={DEDUPE_EXAMPLES}>
          <Mode api={api} title="Lines" id="lines" name="Lines">
            Two lines are equal when their characters are. Only <code>\r\n</code>, <code>\n</code> and <code>\r</code>{' '}
            break lines, and a break at the very end is followed by one more, empty line.
          </Mode>
          <Mode api={api} title="CSV rows" id="rows" name="Rows">
            Rows are compared by their cells, so that needless quotes make no difference. For person names a threshold
            from 0.85 to 0.92 works best, with the name columns alone as key; with dates or house numbers among them,
            stay at 0.92 or above.
          </Mode>
          <Mode api={api} title="JSON items" id="json" name="Json">
            Items are equal when their texts are, white space, string escapes and the spelling of a number aside. The
            order of members counts. Survivors keep every digit.
          </Mode>
          <Group title="Answer" id="dedupe-answer">
            <Fields api={api} schema="LinesAnswer" />
            <p className="muted">
              In rows mode <code>result</code> is one CSV text, in json mode an array of the items.
            </p>
          </Group>
        </Endpoint>
        <Endpoint api={api} id="validate" path="/api/validate" exchanges={[VALIDATE_EXAMPLE]}>
          <Group title="Request" id="validate-request">
            <Fields api={api} schema="ValidateRequest" />
          </Group>
          <Group title="Answer" id="validate-answer">
            <Fields api={api} schema="ValidateAnswer" />
          </Group>
          <Group title="Each verdict" id="verdict">
            <Fields api={api} schema="EmailVerdict" />
          </Group>
        </Endpoint>
        <Units />
        <section id="errors" className="ref-section" aria-labelledby="errors-title">
          <h2 id="errors-title">Errors</h2>
          <p className="ref-lead">
            Every answer that is not 2xx is an object with <code>error</code>. The first check that fails is the one
            that answers, and what is refused costs nothing.
          </p>
          <Errors />
        </section>
        <Headers api={api} />
        <Clients />
      </div>
    </div>
  )
}
