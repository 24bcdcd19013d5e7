import type { ReactElement, ReactNode } from 'preact/compat'
import { CopyButton } from './CopyButton.tsx'
import { classes } from './classes.ts'

interface CodeBlockProps {
  readonly title: string
  readonly code: string
  /** Highlights the code as JSON. */
  readonly json?: boolean
  /** Wraps long lines instead of scrolling sideways. */
  readonly wrap?: boolean
  /** Replaces the copy button. */
  readonly copy?: ReactNode
}

/** Text to read and copy, with a copy button. */
export function CodeBlock(props: CodeBlockProps): ReactElement {
  const { title, code, json = false, wrap = false, copy = <CopyButton text={code} what={title} /> } = props
  return (
    <figure className={classes('code', wrap && 'code-wrap')}>
      <figcaption className="code-head">
        <span>{title}</span>
        <span className="row">{copy}</span>
      </figcaption>
      <Code code={code} json={json} />
    </figure>
  )
}

/** The text of a code block, which can be scrolled with the keyboard. */
export function Code({ code, json = false }: Pick<CodeBlockProps, 'code' | 'json'>): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard (WCAG 2.1.1)
    <pre tabIndex={0}>
      <code>{json ? colourJson(code) : code}</code>
    </pre>
  )
}

/** A string, with the colon if it is a member's name; a number; or a literal. */
const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g

function colourJson(code: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of code.matchAll(JSON_TOKEN)) {
    const [token, string, colon] = match
    parts.push(code.slice(end, match.index))
    const kind = string === undefined ? 'number' : colon === undefined ? 'string' : 'key'
    parts.push(
      <span key={match.index} className={`code-${kind}`}>
        {string ?? token}
      </span>,
      colon ?? '',
    )
    end = match.index + token.length
  }
  parts.push(code.slice(end))
  return parts
}
