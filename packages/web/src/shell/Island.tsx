import { type ReactElement, type ReactNode, useContext } from 'preact/compat'
import { renderToString } from 'preact-render-to-string'
import { IslandRoot } from './islands.tsx'
import { Origin } from './origin.ts'

interface IslandProps {
  /** Unique on its page: the kind of island and, after a colon, which one. */
  readonly name: string
  readonly className?: string
  readonly children: ReactNode
}

/**
 * An interactive part of a page. It is rendered separately, just as it will be hydrated, so that both create the same
 * identifiers. Only for server rendering.
 */
export function Island({ name, className, children }: IslandProps): ReactElement {
  const origin = useContext(Origin)
  const html = renderToString(
    <IslandRoot name={name} origin={origin}>
      {children}
    </IslandRoot>,
  )
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered just above
  return <div data-island={name} className={className} dangerouslySetInnerHTML={{ __html: html }} />
}
