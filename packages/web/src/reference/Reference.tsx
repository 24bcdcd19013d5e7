import {
  type ApiDescription,
  describeApi,
  equalityOf,
  MODE_SPECS,
  MODES,
  type Mode,
  schemaName,
} from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { Island } from '../shell/Island.tsx'
import { useOrigin } from '../shell/origin.ts'
import { SearchableContents } from './Contents.tsx'
import { CONTENTS } from './contents.ts'
import { EndpointSection } from './EndpointSection.tsx'
import { Errors } from './Errors.tsx'
import { Fields } from './Fields.tsx'
import { Prose } from './Prose.tsx'
import { Group, Section } from './Section.tsx'
import { Clients, Headers, Keys, Start, Units } from './sections.tsx'

/** The whole reference, generated from the OpenAPI description and the tables behind it. */
export function Reference(): ReactElement {
  const api = describeApi(useOrigin())
  return (
    <div className="frame reference">
      <Island name="contents" className="ref-nav">
        <SearchableContents entries={CONTENTS} />
      </Island>
      <div className="ref-content">
        <Start api={api} />
        <Keys />
        <EndpointSection api={api} id="dedupe" path="/api/dedupe">
          <Group title="Request" id="dedupe-request">
            <p className="muted">
              A JSON object: <code>mode</code> says what kind of list it is, <code>data</code> is the list,{' '}
              <code>options</code> says what makes two entries equal.
            </p>
            <p className="muted">
              <Prose text={BODY} />
            </p>
          </Group>
          {MODES.map((mode) => (
            <ModeGroup key={mode} api={api} mode={mode} />
          ))}
          <Group title="Answer" id="dedupe-answer">
            {MODES.map((mode) => (
              <Fields
                key={mode}
                api={api}
                schema={schemaName(mode, 'Answer')}
                anchor={`${mode}-answer`}
                inside={`${mode}: `}
                without={['kept', 'removed']}
              />
            ))}
            {/* The counts mean the same in all modes. */}
            <Fields api={api} schema={schemaName('lines', 'Answer')} anchor="dedupe-answer" without={['result']} />
          </Group>
        </EndpointSection>
        <EndpointSection api={api} id="validate" path="/api/validate">
          <Group title="Request" id="validate-request">
            <Fields api={api} schema="ValidateRequest" anchor="validate" />
          </Group>
          <Group title="Answer" id="validate-answer">
            <Fields api={api} schema="ValidateAnswer" anchor="validate-answer" />
          </Group>
          <Group title="Each verdict" id="verdict">
            <Fields api={api} schema="EmailVerdict" anchor="verdict" />
          </Group>
        </EndpointSection>
        <Units />
        <Section id="errors" title="Errors" below={<Errors />}>
          <p className="ref-lead">
            Every answer that is not 2xx is an object with <code>error</code>. The first check that fails determines the
            answer, and refused requests cost nothing.
          </p>
        </Section>
        <Headers api={api} />
        <Clients />
      </div>
    </div>
  )
}

const BODY =
  'The body is read as JSON whatever its `Content-Type`, even `application/x-www-form-urlencoded`, which `curl -d` sends. Form fields are not JSON, and a body with `Content-Encoding: gzip` is not unpacked: both get 400.'

/** One mode: what makes two entries equal, the request, and its options. */
function ModeGroup({ api, mode }: { readonly api: ApiDescription; readonly mode: Mode }): ReactElement {
  return (
    <Group title={MODE_SPECS[mode].title} id={mode}>
      <p className="muted">
        <Prose text={equalityOf(mode)} />
      </p>
      <Fields api={api} schema={schemaName(mode, 'Request')} anchor={mode} without={['options']} />
      <Fields api={api} schema={schemaName(mode, 'Options')} anchor={mode} inside="options." />
    </Group>
  )
}
