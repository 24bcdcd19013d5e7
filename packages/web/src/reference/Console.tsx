import { type FormEvent, type ReactElement, useState } from 'preact/compat'
import { Button, Code, CopyButton, Field, Notice, Tag, useUniqueId } from '../design/index.ts'
import { useExchange } from './useExchange.ts'

/** The response. */
interface ReceivedResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly text: string
  readonly durationMs: number
}

/** The headers that the API promises; the others belong to the transport. */
const SHOWN_HEADERS = [
  'content-type',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'retry-after',
]

/** Sends a request to this server. The key stays in this form and is not stored. */
export function Console({ path }: { readonly path: string }): ReactElement {
  const { exchanges, current, choose } = useExchange(path)
  const [typed, setTyped] = useState<string>()
  const body = typed ?? JSON.stringify(current?.request, null, 2)
  const [key, setKey] = useState('')
  const [state, setState] = useState<'ready' | 'sending' | 'unreachable' | ReceivedResponse>('ready')
  const title = useUniqueId()

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (state === 'sending') return
    setState('sending')
    setState(await send(path, body, key))
  }

  return (
    <form className="panel console" onSubmit={onSubmit} aria-labelledby={title} autoComplete="off">
      <div className="console-head">
        <h3 id={title}>Send a request to {path}</h3>
        <span className="chips">
          {exchanges.map(({ name }) => (
            <button
              key={name}
              type="button"
              className="chip"
              onClick={() => {
                choose(name)
                setTyped(undefined)
              }}
            >
              {name}
            </button>
          ))}
        </span>
      </div>
      <div className="console-body">
        <div className="stack">
          <Field label="Body">
            {(control) => (
              <textarea
                {...control}
                className="input input-mono console-text"
                rows={12}
                spellcheck={false}
                value={body}
                onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            )}
          </Field>
          <Field
            label={exchanges.every(({ keyed }) => keyed) ? 'Key' : 'Key (fuzzy needs one)'}
            hint="Sent as a bearer token and forgotten when you leave the page."
          >
            {(control) => (
              <input
                {...control}
                className="input input-mono"
                type="password"
                autoComplete="off"
                data-1p-ignore
                data-lpignore="true"
                placeholder="kf_live_…"
                value={key}
                onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
              />
            )}
          </Field>
          <p>
            <Button variant="primary" type="submit" aria-disabled={state === 'sending'}>
              Send
            </Button>
          </p>
        </div>
        <section className="console-answer" aria-label={`Answer of ${path}`} aria-live="polite">
          <Outcome state={state} />
        </section>
      </div>
    </form>
  )
}

async function send(path: string, body: string, key: string): Promise<ReceivedResponse | 'unreachable'> {
  const start = performance.now()
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
      body,
      credentials: 'omit',
      cache: 'no-store',
    })
    const text = await response.text()
    const headers = SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    const durationMs = performance.now() - start
    return { status: response.status, statusText: response.statusText, headers, text, durationMs }
  } catch {
    return 'unreachable'
  }
}

function Outcome({ state }: { readonly state: 'ready' | 'sending' | 'unreachable' | ReceivedResponse }): ReactElement {
  if (state === 'ready') return <p className="muted">The answer will appear here.</p>
  if (state === 'sending') return <p className="muted">Waiting for the answer</p>
  if (state === 'unreachable') {
    return (
      <Notice tone="bad" title="No answer">
        The server can't be reached, or the key contains characters that are not allowed in a header.
      </Notice>
    )
  }
  const { status, statusText, headers, text, durationMs } = state
  return (
    <>
      <div className="row row-apart">
        <span className="row">
          <Tag tone={status < 300 ? 'good' : 'bad'}>
            {status} {statusText}
          </Tag>
          <span className="console-took">{durationMs.toFixed(0)} ms</span>
        </span>
        <CopyButton text={text} what="answer" />
      </div>
      <div className="code code-wrap">
        <Code code={text} json />
      </div>
      <dl className="console-headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
