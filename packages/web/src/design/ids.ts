import { createContext, useContext, useId } from 'preact/compat'

/** Set by each part of a page that is rendered by itself; otherwise their identifiers would be the same. */
export const IdPrefix = createContext('')

/** An identifier that no other element of the page has. */
export function useUniqueId(): string {
  const prefix = useContext(IdPrefix)
  const id = useId()
  return `${prefix}-${id}`.replaceAll(':', '-')
}
