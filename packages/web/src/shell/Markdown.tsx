import { Marked, type Token } from 'marked'
import type { ReactElement } from 'preact/compat'
import { CodeSample } from './CodeSample.tsx'
import { useOrigin } from './origin.ts'

/** The server's address in the documents; pages show the real one. */
const ADDRESS_IN_DOCUMENTS = 'http://localhost:8080'

const marked = new Marked()

interface MarkdownProps {
  readonly text: string
  /** The level of the heading above the document. */
  readonly below?: number
}

/**
 * A document from the repository as part of a page: headings get anchors, code gets copy buttons, and the address is
 * this server's.
 */
export function Markdown({ text, below = 1 }: MarkdownProps): ReactElement {
  const tokens = marked.lexer(text.replaceAll(ADDRESS_IN_DOCUMENTS, useOrigin()))
  return (
    <>
      {partsOf(tokens, below - 1).map((part) =>
        part.kind === 'code' ? (
          <CodeSample key={part.code} title={part.title} code={part.code} />
        ) : (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: documents from the repository, not user input
          <div key={part.html} className="prose" dangerouslySetInnerHTML={{ __html: part.html }} />
        ),
      )}
    </>
  )
}

/** The anchor of a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The headings of one depth, in order. */
export function headingsOf(text: string, depth: number): readonly string[] {
  return marked.lexer(text).flatMap((token) => (token.type === 'heading' && token.depth === depth ? [token.text] : []))
}

type Part =
  | { readonly kind: 'code'; readonly title: string; readonly code: string }
  | { readonly kind: 'prose'; readonly html: string }

/**
 * Splits a document into code blocks and the text between them.
 * @param deeper how many levels the headings move down
 */
function partsOf(tokens: readonly Token[], deeper: number): Part[] {
  const parts: Part[] = []
  let prose: Token[] = []
  const endProse = (): void => {
    if (prose.length > 0) parts.push({ kind: 'prose', html: marked.parser(prose) })
    prose = []
  }
  for (const token of tokens) {
    if (token.type !== 'code') {
      prose.push(token.type === 'heading' ? headingOf(token.text, token.depth + deeper) : token)
      continue
    }
    endProse()
    // After the language, a fence may give the code a title.
    const [language = 'text', ...title] = String(token.lang ?? '').split(' ')
    parts.push({ kind: 'code', title: title.join(' ') || language, code: String(token.text) })
  }
  endProse()
  return parts
}

function headingOf(title: string, depth: number): Token {
  const html = `<h${depth} id="${anchorOf(title)}">${marked.parseInline(title)}</h${depth}>`
  return { type: 'html', raw: html, text: html, block: true, pre: false }
}
