import { type ReactElement, type ReactNode, useContext } from 'preact/compat'
import { renderToString } from 'preact-render-to-string'
import { IslandRoot } from './islands.tsx'
import { Origin } from './origin.ts'

interface IslandProps {
  /** Tells it from the others of its page: what it is, and after a colon which one. */
  readonly name: string
  readonly className?: string
  readonly children: ReactNode
}

/**
 * A part of a page that reacts to its reader. It is rendered by itself, as it will be hydrated, so that both make the
 * same identifiers. For the server's rendering alone.
 */
export function Island({ name, className, children }: IslandProps): ReactElement {
  const origin = useContext(Origin)
  const html = renderToString(
    <IslandRoot name={name} origin={origin}>
      {children}
    </IslandRoot>,
  )
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it was made a line above
  return <div data-island={name} className={className} dangerouslySetInnerHTML={{ __html: html }} />
}
