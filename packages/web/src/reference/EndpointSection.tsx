import type { ApiDescription } from '@keepfirst/protocol'
import type { ReactElement, ReactNode } from 'preact/compat'
import { Tag } from '../design/index.ts'
import { Island } from '../shell/Island.tsx'
import { Console } from './Console.tsx'
import { Examples } from './Examples.tsx'
import { Prose } from './Prose.tsx'
import { Section } from './Section.tsx'

interface EndpointSectionProps {
  readonly api: ApiDescription
  readonly id: string
  readonly path: string
  /** The fields of request and answer. */
  readonly children: ReactNode
}

/** One endpoint: description and fields on the left, examples on the right, and a form that sends requests. */
export function EndpointSection({ api, id, path, children }: EndpointSectionProps): ReactElement | null {
  const post = api.paths[path]?.post
  if (!post) return null
  const examples = (
    <Island name={`examples:${path}`}>
      <Examples path={path} />
    </Island>
  )
  const form = (
    <Island name={`console:${path}`}>
      <Console path={path} />
    </Island>
  )
  return (
    <Section id={id} title={post.summary} aside={examples} below={form}>
      <p className="row">
        <Tag tone="good">POST</Tag>
        <code>{path}</code>
      </p>
      <p>
        <Prose text={post.description} />
      </p>
      {children}
    </Section>
  )
}
