import type { Exchange } from '@keepfirst/protocol'
import { type ReactElement, useState } from 'preact/compat'
import { Code, CodeBlock, CopyButton, Tabs } from '../design/index.ts'
import { useOrigin } from '../shell/origin.ts'
import { curlRequest } from '../try/requests.ts'

interface ExamplesProps {
  readonly path: string
  readonly exchanges: readonly Exchange<unknown, unknown>[]
}

/** Requests with their very answers, one at a time. */
export function Examples({ path, exchanges }: ExamplesProps): ReactElement | null {
  const [current, setCurrent] = useState(exchanges[0]?.name ?? '')
  const origin = useOrigin()
  const exchange = exchanges.find(({ name }) => name === current)
  if (!exchange) return null
  const body = JSON.stringify(exchange.request, null, 2)
  const curl = curlRequest(`${origin}${path}`, body, exchange.keyed)
  return (
    <div className="stack">
      <figure className="code" aria-label="Request">
        <Tabs
          label="Examples"
          tabs={exchanges.map(({ name }) => ({ name, title: name }))}
          current={current}
          onChoose={setCurrent}
          barClass="code-head"
          aside={<CopyButton text={curl} what="request" />}
        >
          <Code code={curl} />
        </Tabs>
      </figure>
      <CodeBlock title="Answer, 200" code={JSON.stringify(exchange.answer, null, 2)} json />
    </div>
  )
}
