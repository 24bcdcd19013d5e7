import type { SiteFacts } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import changes from '../../../../CHANGELOG.md?raw'
import licence from '../../../../LICENSE?raw'
import { version } from '../../package.json'
import { Contact, Table } from '../design/index.ts'
import { Markdown } from '../shell/Markdown.tsx'

/** Who runs this server, what it stores, what it is: everything that the footer leads to. */
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
            <a href={facts.legalUrl}>Imprint and terms</a>
          </p>
        )}
      </Part>
      <Privacy facts={facts} />
      <Part id="changes" title="Changes">
        <Markdown text={changes.replace(/^# .*$/m, '')} below={2} />
      </Part>
      <Part id="licence" title="Licence">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
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
        Lists and addresses are worked on in memory and never stored, and what the page <a href="/">Try it</a> works on
        never leaves your browser. No page loads anything from another server, none counts its readers, and the one
        cookie is the session of whoever signs in. What is stored is this:
      </p>
      <Table caption="What is stored" columns={[{ title: 'What' }, { title: 'In it' }, { title: 'How long' }]}>
        {facts.stored.map(({ what, detail, kept }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td>{detail}</td>
            <td>{kept}</td>
          </tr>
        ))}
      </Table>
      <p>
        With an account you can take along all that is stored about it, and delete it, on the page{' '}
        <a href="/app/keys">Keys</a>.
      </p>
    </Part>
  )
}
