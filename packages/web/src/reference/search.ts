/** A search result. */
export interface SearchResult {
  readonly href: string
  readonly title: string
  /** The text around the match, if the match is not in the title. */
  readonly excerpt: string | undefined
}

const MAX_RESULTS = 12
/** Characters shown before and after the match. */
const AROUND = 36

/**
 * The parts of the page that contain all words of a query: matches in titles first, then shorter parts before longer
 * ones.
 */
export function search(query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const lengthOf = ({ title, text }: Entry): number => (matches(title) ? title.length : text.length)
  return entries()
    .filter(({ title, text }) => matches(title) || matches(text))
    .sort((a, b) => Number(matches(b.title)) - Number(matches(a.title)) || lengthOf(a) - lengthOf(b))
    .slice(0, MAX_RESULTS)
    .map(({ href, title, text }) => ({
      href,
      title,
      excerpt: matches(title) ? undefined : around(text, words[0] ?? ''),
    }))
}

interface Entry {
  readonly href: string
  readonly title: string
  readonly text: string
}

/** Everything that has a title and a link. */
function entries(): Entry[] {
  return [...document.querySelectorAll<HTMLElement>('[data-entry]')].flatMap((element) => {
    const href = element.querySelector('.anchor-link')?.getAttribute('href')
    const part = href && document.getElementById(href.slice(1))
    return part ? [{ href, title: element.dataset.entry ?? '', text: part.textContent ?? '' }] : []
  })
}

function around(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word)
  const from = Math.max(0, at - AROUND)
  return `${from > 0 ? '…' : ''}${text.slice(from, at + word.length + AROUND).trim()}…`
}
