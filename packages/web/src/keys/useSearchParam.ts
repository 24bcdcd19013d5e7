import { useCallback, useEffect, useState } from 'preact/compat'

/**
 * A value kept in the page's URL, so that links lead back to it. An empty value is left out.
 * @param valid whether a value found in the URL is acceptable; otherwise it counts as empty
 */
export function useSearchParam(name: string, valid: (value: string) => boolean): [string, (value: string) => void] {
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
      const url = new URL(location.href)
      if (next === '') url.searchParams.delete(name)
      else url.searchParams.set(name, next)
      history.replaceState(null, '', url)
      setValue(next)
    },
    [name],
  )
  return [value, write]
}
