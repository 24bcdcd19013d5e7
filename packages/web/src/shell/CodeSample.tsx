import type { ReactElement } from 'preact/compat'
import { CodeBlock, CopyButton } from '../design/index.ts'
import { Island } from './Island.tsx'

interface CodeSampleProps {
  readonly title: string
  readonly code: string
}

/** A code block on an otherwise static page; only its copy button is interactive. */
export function CodeSample({ title, code }: CodeSampleProps): ReactElement {
  const copy = (
    <Island name={`copy:${title}`}>
      <CopyButton text={code} what={title} />
    </Island>
  )
  return <CodeBlock title={title} code={code} copy={copy} />
}
