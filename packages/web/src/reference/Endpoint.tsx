import type { ApiDescription, Exchange } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import { Tag } from '../design/index.ts'
import { Console } from './Console.tsx'
import { Examples } from './Examples.tsx'
import { Prose } from './Prose.tsx'

interface EndpointProps {
  readonly api: ApiDescription
  readonly id: string
  readonly path: string
  readonly exchanges: readonly Exchange<unknown, unknown>[]
  /** The fields of request and answer. */
  readonly children: ReactNode
}

/** One endpoint: what it does and takes on the left, how that looks on the right, and a form that sends. */
export function Endpoint({ api, id, path, exchanges, children }: EndpointProps): ReactElement | null {
  const post = api.paths[path]?.post
  if (!post) return null
  return (
    <section id={id} className="ref-section" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{post.summary}</h2>
      <p className="row">
        <Tag tone="good">POST</Tag>
        <code>{path}</code>
      </p>
      <div className="ref-split">
        <div className="stack ref-words">
          <p>
            <Prose text={post.description} />
          </p>
          {children}
        </div>
        <div className="ref-aside">
          <Examples path={path} exchanges={exchanges} />
        </div>
      </div>
      <Console
        path={path}
        exchanges={exchanges}
        keyRequired={!post.security.some((way) => Object.keys(way).length === 0)}
      />
    </section>
  )
}
