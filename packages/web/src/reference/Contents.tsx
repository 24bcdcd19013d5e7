import { type ReactElement, useEffect, useState } from 'preact/compat'
import type { ContentsEntry } from './contents.ts'
import { type SearchResult, search } from './search.ts'

/** The contents of a long page, with the current section marked. */
export function Contents({ entries }: { readonly entries: readonly ContentsEntry[] }): ReactElement {
  return (
    <nav className="contents" aria-label="On this page">
      <Links entries={entries} current={useCurrentSection(entries)} />
    </nav>
  )
}

/** Contents with a search box for the page's text. */
export function SearchableContents({ entries }: { readonly entries: readonly ContentsEntry[] }): ReactElement {
  const [query, setQuery] = useState('')
  const current = useCurrentSection(entries)
  const found = query.trim() === '' ? undefined : search(query)
  return (
    <nav className="contents" aria-label="On this page">
      <input
        className="input input-small"
        type="search"
        placeholder="Search this page"
        aria-label="Search this page"
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <p className="visually-hidden" role="status">
        {found && (found.length === 0 ? 'Nothing found' : `${found.length} found`)}
      </p>
      {found ? (
        <SearchResults found={found} onFollow={() => setQuery('')} />
      ) : (
        <Links entries={entries} current={current} />
      )}
    </nav>
  )
}

interface LinksProps {
  readonly entries: readonly ContentsEntry[]
  readonly current: string | undefined
}

function Links({ entries, current }: LinksProps): ReactElement {
  return (
    <ul>
      {entries.map(({ id, title, parts }) => (
        <li key={id}>
          <a href={`#${id}`} aria-current={id === current ? 'location' : undefined}>
            {title}
          </a>
          {parts && <Links entries={parts} current={current} />}
        </li>
      ))}
    </ul>
  )
}

function SearchResults({ found, onFollow }: { found: readonly SearchResult[]; onFollow: () => void }): ReactElement {
  if (found.length === 0) return <p className="contents-none muted">Nothing found</p>
  return (
    <ul>
      {found.map(({ href, title, excerpt }) => (
        <li key={href}>
          <a href={href} onClick={onFollow}>
            <span className="contents-title">{title}</span>
            {excerpt && <span className="contents-excerpt">{excerpt}</span>}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** The last entry whose section begins in the upper third of the window or above it. */
function useCurrentSection(entries: readonly ContentsEntry[]): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const ids = entries.flatMap(({ id, parts = [] }) => [id, ...parts.map((part) => part.id)])
    const parts = ids.flatMap((id) => document.getElementById(id) ?? [])
    const begun = new Set<Element>()
    const watcher = new IntersectionObserver(
      (changes) => {
        for (const { target, isIntersecting } of changes) {
          if (isIntersecting) begun.add(target)
          else begun.delete(target)
        }
        setCurrent(parts.findLast((part) => begun.has(part))?.id)
      },
      // Everything above the window counts as visible.
      { rootMargin: '1000000px 0px -67% 0px' },
    )
    for (const part of parts) watcher.observe(part)
    return () => watcher.disconnect()
  }, [entries])
  return current
}
