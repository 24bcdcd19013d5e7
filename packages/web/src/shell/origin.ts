import { createContext, useContext } from 'preact/compat'

/** The public address of this server without a trailing slash; set at the root of everything that is rendered. */
export const Origin = createContext('')

/** The public address of this server, for use in examples. */
export function useOrigin(): string {
  return useContext(Origin)
}
