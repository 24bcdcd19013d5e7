import { useCallback, useEffect, useState } from 'preact/compat'

/**
 * A value that stands in the page's address, so that a link leads back to it. It is left out while it is empty.
 * @param valid whether a value found in the address makes sense; others count as empty
 */
export function useAddress(name: string, valid: (value: string) => boolean): [string, (value: string) => void] {
  const read = useCallback((): string => {
    const value = new URLSearchParams(location.search).get(name) ?? ''
    return valid(value) ? value : ''
  }, [name, valid])
  const [value, setValue] = useState(read)
  useEffect(() => {
    const follow = (): void => setValue(read())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [read])
  const write = useCallback(
    (next: string): void => {
      const address = new URL(location.href)
      if (next === '') address.searchParams.delete(name)
      else address.searchParams.set(name, next)
      history.replaceState(null, '', address)
      setValue(next)
    },
    [name],
  )
  return [value, write]
}
