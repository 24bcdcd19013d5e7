import type { ReactElement } from 'preact/compat'
import { Code, CodeBlock, CopyButton, Tabs } from '../design/index.ts'
import { useOrigin } from '../shell/origin.ts'
import { curlRequest } from '../try/requests.ts'
import { useExchange } from './useExchange.ts'

/** Requests with their very answers, one at a time. */
export function Examples({ path }: { readonly path: string }): ReactElement | null {
  const { exchanges, current, choose } = useExchange(path)
  const origin = useOrigin()
  if (!current) return null
  const body = JSON.stringify(current.request, null, 2)
  const curl = curlRequest(`${origin}${path}`, body, current.keyed)
  return (
    <div className="stack">
      <figure className="code" aria-label="Request">
        <Tabs
          label="Examples"
          tabs={exchanges.map(({ name }) => ({ name, title: name }))}
          current={current.name}
          onChoose={choose}
          barClass="code-head"
          aside={<CopyButton text={curl} what="request" />}
        >
          <Code code={curl} />
        </Tabs>
      </figure>
      <CodeBlock title="Answer, 200" code={JSON.stringify(current.answer, null, 2)} json />
    </div>
  )
}
