import { type ApiDescription, UNITS_PER_ADDRESS } from '@keepfirst/protocol'
import type { ReactElement } from 'preact/compat'
import { KEY_VARIABLE } from '../examples/examples.ts'
import { CodeSample } from '../shell/CodeSample.tsx'
import { useOrigin } from '../shell/origin.ts'
import { PlansTable } from '../shell/PlansTable.tsx'
import { AnchorLink } from './AnchorLink.tsx'
import { Prose } from './Prose.tsx'
import { Section } from './Section.tsx'

/** What the API is, and its address. */
export function Start({ api }: { readonly api: ApiDescription }): ReactElement {
  const origin = useOrigin()
  return (
    <section id="start" className="ref-section" aria-labelledby="start-title">
      <h1 id="start-title">API reference</h1>
      <p className="ref-lead">
        One request, one answer: a list goes in, and the survivors come back in their original order. JSON over HTTP, no
        jobs, no callbacks, and no memory from one request to the next.
      </p>
      <CodeSample title="Base address" code={origin} />
      <p>
        This page is generated from the <a href="/api/openapi.json">OpenAPI 3.1 description</a>, version{' '}
        {api.info.version}.
      </p>
    </section>
  )
}

/** How to send a key. */
export function Keys(): ReactElement {
  const origin = useOrigin()
  const code = `# as a bearer token, which is read first
curl ${origin}/api/dedupe \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" …

# or by itself
curl ${origin}/api/dedupe \\
  -H "x-api-key: $${KEY_VARIABLE}" …`
  return (
    <Section id="keys" title="Keys" aside={<CodeSample title="Two ways to send a key" code={code} />}>
      <p>
        Removing duplicates works without a key, within a daily budget for each network address. Fuzzy matching and
        email validation need one. <a href="/app/keys">Create a key</a>; it is shown once, and only its hash is stored.
      </p>
      <p>
        A key that is unknown, revoked or malformed gets 401, whatever else is wrong with the request. A revoked key
        fails from the next request on.
      </p>
      <p>
        Pages of another origin may call the API, but not with a key: the CORS headers allow only{' '}
        <code>Content-Type</code>, because a key in a page is public. Send it from your server.
      </p>
      <p>
        Don’t forget the word <code>Bearer</code>: <code>Authorization: kf_live_…</code> without it is not a bearer
        token, and the request is treated as keyless.
      </p>
    </Section>
  )
}

/** What requests cost, and what the plans allow. */
export function Units(): ReactElement {
  return (
    <Section id="units" title="Units and plans" below={<PlansTable />}>
      <p className="ref-lead">
        A list costs one unit per row or per started KB (1,024 bytes) of the whole body, whichever is more, and at least
        one: <code>max(rows, ceil(bytes / 1024))</code>. A header row is free. An address costs {UNITS_PER_ADDRESS}{' '}
        units. Input counts, never output.
      </p>
      <p className="ref-lead">
        Monthly units belong to the account, are shared by all its keys, and are reset on the 1st at 00:00 UTC. They are
        charged before the work and refunded if the service fails. The burst window opens with a key's first request and
        is shared by both endpoints.
      </p>
    </Section>
  )
}

/** The headers of every answer, and when to try again. */
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
    <Section id="headers" title="Headers and retries" aside={<CodeSample title="A well-behaved client" code={retry} />}>
      <p>
        Every answer, errors included, has <code>Content-Type: application/json</code> and the headers below. There are
        no <code>X-RateLimit</code> headers.
      </p>
      <dl className="fields">
        {names.map(([name, { $ref }]) => {
          const header = api.components.headers[$ref.replace('#/components/headers/', '')]
          return (
            <div key={name} id={`header-${name}`} className="field-row">
              <dt data-entry={name}>
                <code className="field-name">{name}</code>
                <span className="field-type">{header?.schema.const ?? 'seconds'}</span>
                <AnchorLink id={`header-${name}`} title={name} />
              </dt>
              <dd>
                <Prose text={header?.description ?? ''} />
              </dd>
            </div>
          )
        })}
      </dl>
      <p>
        Two kinds of answers are worth a retry: a 429 with <code>Retry-After</code>, after that many seconds, and a 503
        that says <code>try again later</code>. Retrying any other gives the same result. One large request costs the
        same as many small ones and counts once towards the burst limit.
      </p>
    </Section>
  )
}

/** Clients for the API. */
export function Clients(): ReactElement {
  const origin = useOrigin()
  const client = `import { Keepfirst } from '@keepfirst/client'

const keepfirst = new Keepfirst({
  apiKey: process.env.${KEY_VARIABLE},
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
          <CodeSample title="TypeScript and JavaScript" code={client} />
          <CodeSample title="Types from the description" code={types} />
        </div>
      }
    >
      <p>
        The typed client runs in Node, browsers, Deno and Bun. It waits and retries as the headers say, and its errors
        carry <code>status</code> and the members of the error body.
      </p>
      <p>
        For any other language, generate a client from the <a href="/api/openapi.json">description</a>. For files of any
        size, the <code>keepfirst</code> command removes duplicates on your own machine. Spreadsheets, workflow tools
        and PowerShell: see the <a href="/recipes">recipes</a>.
      </p>
    </Section>
  )
}
