import { createContext, useContext, useId } from 'preact/compat'

/** Set for each separately rendered part of a page; otherwise their identifiers would be the same. */
export const IdPrefix = createContext('')

/** An identifier that is unique on the page. */
export function useUniqueId(): string {
  const prefix = useContext(IdPrefix)
  const id = useId()
  return `${prefix}-${id}`.replaceAll(':', '-')
}
