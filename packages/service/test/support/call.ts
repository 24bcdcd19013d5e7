import type { Call } from '../../src/requests/call.ts'

/**
 * A call whose body must not be read, except for the given parts.
 * @param hasLeft whether the client has disconnected, asked each time
 */
export function callWith(parts: Partial<Omit<Call, 'aborted'>>, hasLeft: () => boolean = () => false): Call {
  return {
    requestId: 'r',
    authorization: undefined,
    apiKey: undefined,
    network: '192.0.2.1',
    declaredBytes: undefined,
    signal: new AbortController().signal,
    readBody: () => Promise.reject(new Error('not expected')),
    reserveMemory: () => true,
    ...parts,
    get aborted() {
      return hasLeft()
    },
  }
}
