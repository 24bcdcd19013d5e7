import { type ApiDescription, UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import { Code, CodeBlock } from '../design/index.ts'
import { PlansTable } from '../home/PlansTable.tsx'
import { useOrigin } from '../shell/origin.ts'
import { Prose } from './Prose.tsx'

/** A section with words on the left and what they look like on the right. */
function Section(props: { id: string; title: string; aside?: ReactNode; children: ReactNode }): ReactElement {
  const { id, title, aside, children } = props
  return (
    <section id={id} className="ref-section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <div className={aside ? 'ref-split' : undefined}>
        <div className="stack ref-words">{children}</div>
        {aside && <div className="ref-aside">{aside}</div>}
      </div>
    </section>
  )
}

export function Start(): ReactElement {
  const origin = useOrigin()
  return (
    <section id="start" className="ref-section ref-start" aria-labelledby="start-title">
      <h1 id="start-title">API reference</h1>
      <p className="ref-lead">
        One request, one answer: a list goes in, and what survives comes back in the order it came. JSON over HTTP, no
        jobs, no callbacks, and no memory from one request to the next.
      </p>
      <figure className="code" aria-label="Base address">
        <Code code={origin} />
      </figure>
      <p>
        This page is made from the <a href="/api/openapi.json">OpenAPI 3.1 description</a>, version 1.0.0.
      </p>
    </section>
  )
}

export function Keys(): ReactElement {
  const origin = useOrigin()
  const code = `# as a bearer token, which is read first
curl ${origin}/api/dedupe \\
  -H "Authorization: Bearer $KEEPFIRST_KEY" …

# or by itself
curl ${origin}/api/dedupe \\
  -H "x-api-key: $KEEPFIRST_KEY" …`
  return (
    <Section id="keys" title="Keys" aside={<CodeBlock title="Two ways to send a key" code={code} />}>
      <p>
        Removing duplicates works without a key, within a daily budget for each network address. Fuzzy matching and
        validating addresses need one. <a href="/app/keys">Make a key</a>; it is shown once, and only its hash is
        stored.
      </p>
      <p>
        A key that is unknown, revoked or malformed gets 401, whatever else is wrong with the request. A revoked key
        fails from the very next request on.
      </p>
      <p>
        Pages of another origin may call the API, but not with a key: the CORS headers allow <code>Content-Type</code>{' '}
        alone, so that no key has to live in a page.
      </p>
    </Section>
  )
}

export function Units(): ReactElement {
  return (
    <section id="units" className="ref-section" aria-labelledby="units-title">
      <h2 id="units-title">Units and plans</h2>
      <div className="stack ref-lead">
        <p>
          A list costs one unit a row or a started KB (1,024 bytes) of the whole body, whichever is more, and at least
          one: <code>max(rows, ceil(bytes / 1024))</code>. A header row is free. An address costs {UNITS_PER_ADDRESS}{' '}
          units. Input counts, never output.
        </p>
        <p>
          The monthly units belong to the account, shared by all its keys, and are whole again on the 1st at 00:00 UTC.
          They are taken before the work and given back when the service fails. The burst window opens with a key's
          first request and is shared by both endpoints.
        </p>
      </div>
      <PlansTable />
    </section>
  )
}

export function Headers({ api }: { readonly api: ApiDescription }): ReactElement {
  const names = Object.entries(api.paths['/api/dedupe']?.post.responses['429']?.headers ?? {})
  const retry = `for attempt in 1 to 5
  answer = send(request)
  if answer is neither a 429 with Retry-After
     nor a 503 that says "try again later"
    return answer
  wait Retry-After seconds, or one, plus a
    random share that grows with each attempt`
  return (
    <Section id="headers" title="Headers and retries" aside={<CodeBlock title="A client that behaves" code={retry} />}>
      <p>
        Every answer, errors included, has <code>Content-Type: application/json</code> and the headers below. There are
        no <code>X-RateLimit</code> headers.
      </p>
      <dl className="fields">
        {names.map(([name, { $ref }]) => {
          const header = api.components.headers[$ref.replace('#/components/headers/', '')]
          return (
            <div key={name} className="field-row">
              <dt>
                <code className="field-name">{name}</code>
                <span className="field-type">{header?.schema.const ?? 'seconds'}</span>
              </dt>
              <dd>
                <Prose text={header?.description ?? ''} />
              </dd>
            </div>
          )
        })}
      </dl>
      <p>
        Two kinds of answers are worth sending again: a 429 with <code>Retry-After</code>, after so many seconds, and a
        503 that says <code>try again later</code>. Any other would be the same again. One large request costs the same
        as many small ones and counts once towards the burst limit.
      </p>
    </Section>
  )
}

export function Clients(): ReactElement {
  const origin = useOrigin()
  const client = `import { Keepfirst } from '@keepfirst/client'

const keepfirst = new Keepfirst({
  apiKey: process.env.KEEPFIRST_KEY,
  baseUrl: '${origin}',
})
const { result, removed } =
  await keepfirst.lines('b\\na\\nb')`
  const types = `npx openapi-typescript ${origin}/api/openapi.json \\
  -o keepfirst.d.ts --default-non-nullable=false`
  return (
    <Section
      id="clients"
      title="Clients"
      aside={
        <div className="stack">
          <CodeBlock title="TypeScript and JavaScript" code={client} />
          <CodeBlock title="Types from the description" code={types} />
        </div>
      }
    >
      <p>
        The typed client runs in Node, browsers, Deno and Bun. It waits and tries again as the headers say, and its
        errors carry <code>status</code> and the members of the error body.
      </p>
      <p>
        For any other language, make a client from the <a href="/api/openapi.json">description</a>. For files of any
        size, the <code>keepfirst</code> command removes duplicates on your own machine.
      </p>
    </Section>
  )
}
