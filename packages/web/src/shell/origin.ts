import { useSyncExternalStore } from 'preact/compat'

/** Stands for the server's address in what is made at build time. */
const DEFAULT_ORIGIN = 'http://localhost:8080'

const never = () => () => undefined

/** The address that this page came from. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => location.origin,
    () => DEFAULT_ORIGIN,
  )
}
