import { useEffect, useState } from 'preact/compat'
import { EXCHANGES, type ShownExchange } from './exchanges.ts'

interface Chosen {
  readonly exchanges: readonly ShownExchange[]
  readonly current: ShownExchange | undefined
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
function exchangeNamed(hash: string, exchanges: Chosen['exchanges']): ShownExchange | undefined {
  const [mode, option] = hash.slice(1).split('-')
  const name = option === 'fuzzy' || option === 'threshold' ? 'fuzzy' : mode
  return exchanges.find((exchange) => exchange.name === name)
}
