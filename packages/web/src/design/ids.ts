import { createContext, useContext, useId } from 'preact/compat'

/** Set for each separately rendered part of a page, whose identifiers would otherwise be the same. */
export const IdPrefix = createContext('')

/** An identifier that is unique in the page. */
export function useUniqueId(): string {
  const prefix = useContext(IdPrefix)
  const id = useId()
  return `${prefix}-${id}`.replaceAll(':', '-')
}
