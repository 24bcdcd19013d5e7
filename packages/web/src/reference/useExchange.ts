import { useEffect, useState } from 'preact/compat'
import { EXCHANGES, type Shown } from './exchanges.ts'

interface Chosen {
  readonly exchanges: readonly Shown[]
  readonly current: Shown | undefined
  readonly choose: (name: string) => void
}

/** The current example: the first, the one that was chosen, or the one named in the URL (`/api#rows`). */
export function useExchange(path: string): Chosen {
  const exchanges = EXCHANGES[path] ?? []
  const [name, choose] = useState(exchanges[0]?.name ?? '')
  useEffect(() => {
    const follow = (): void => {
      const named = exchangeNamed(location.hash, exchanges)
      if (named) choose(named.name)
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [exchanges])
  return { exchanges, current: exchanges.find((exchange) => exchange.name === name), choose }
}

/** `#rows` and anchors below it select the example `rows`; those of fuzzy options select the fuzzy one. */
function exchangeNamed(hash: string, exchanges: Chosen['exchanges']): Shown | undefined {
  const [mode, option] = hash.slice(1).split('-')
  const name = option === 'fuzzy' || option === 'threshold' ? 'fuzzy' : mode
  return exchanges.find((exchange) => exchange.name === name)
}
