import { createContext, useContext } from 'preact/compat'

/** The public address of this server, without a slash at its end; set at the root of whatever is rendered. */
export const Origin = createContext('')

/** The public address of this server, as it stands in examples. */
export function useOrigin(): string {
  return useContext(Origin)
}
