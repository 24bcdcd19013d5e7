import type { SiteFacts } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import changes from '../../../../CHANGELOG.md?raw'
import licence from '../../../../LICENSE?raw'
import { version } from '../../package.json'
import { Contact, Table } from '../design/index.ts'
import { Markdown } from '../shell/Markdown.tsx'

/** Who runs this server, what it stores, and its licence; linked from the footer. */
export function AboutPage({ facts }: { readonly facts: SiteFacts }): ReactElement {
  return (
    <div className="frame about">
      <header className="page-head">
        <h1>About this server</h1>
        <p className="muted">
          {facts.baseUrl} runs Keepfirst {version}.
        </p>
      </header>
      <Part id="contact" title="Contact">
        <p>
          <Contact contact={facts.contact} />
        </p>
        {facts.legalUrl !== null && (
          <p>
            <a href={facts.legalUrl}>Legal notice and terms</a>
          </p>
        )}
      </Part>
      <Privacy facts={facts} />
      <Part id="changes" title="Changes">
        <Markdown text={changes.replace(/^# .*$/m, '')} below={2} />
      </Part>
      <Part id="licence" title="Licence">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard (WCAG 2.1.1) */}
        <pre className="licence" tabIndex={0}>
          {licence}
        </pre>
      </Part>
    </div>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }): ReactElement {
  return (
    <section id={id} className="about-part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <div className="stack">{children}</div>
    </section>
  )
}

function Privacy({ facts }: { readonly facts: SiteFacts }): ReactElement {
  return (
    <Part id="privacy" title="Privacy">
      <p>
        Lists and addresses are processed in memory and never stored, and lists in <a href="/">Try it</a> never leave
        your browser. No page loads anything from another server or tracks its visitors, and the only cookie is the
        session of users who sign in. This is what is stored:
      </p>
      <Table caption="What is stored" columns={[{ title: 'What' }, { title: 'Details' }, { title: 'How long' }]}>
        {facts.stored.map(({ what, detail, kept }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{detail}</td>
            <td>{kept}</td>
          </tr>
        ))}
      </Table>
      <p>
        You can download everything that is stored about your account, or delete it, on the page{' '}
        <a href="/app/keys">Keys</a>.
      </p>
    </Part>
  )
}
