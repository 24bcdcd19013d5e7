import type { Refusal } from '@keepfirst/protocol'
import type { ClientConnection } from '../client-connection.ts'

/*
 * What the pipeline sees of HTTP: `http/` makes a `Call` of what came over the wire and sends the `Reply`.
 */

/** One request to an API route as the pipeline sees it; the method has been checked already. */
export interface Call extends ClientConnection {
  /** Names the request in the log, and nowhere else. */
  readonly requestId: string
  readonly authorization: string | undefined
  /** The `x-api-key` header; an empty one is the empty string. */
  readonly apiKey: string | undefined
  /** The caller's IPv4 address or IPv6 /64 network, in one canonical spelling. */
  readonly network: string
  /** `Content-Length`, or undefined when the body comes without a declared length. */
  readonly declaredBytes: number | undefined
  /**
   * Reads the whole body, and no more than `limitBytes` of it, into a buffer that may be longer. `over` when there is
   * more; `busy` when there is no memory for it.
   * @throws ClientDisconnected
   */
  readBody(limitBytes: number): Promise<Uint8Array<ArrayBuffer> | 'over' | 'busy'>
  /** Counts that the request holds this many bytes now, its body included; false when there is no memory for them. */
  holdMemory(bytes: number): boolean
}

/** What goes back. A refusal that holds `retryAfter` is sent with the header of the same number. */
export type Reply =
  /** The body's whole buffer is given away. */
  | { readonly kind: 'result'; readonly body: Uint8Array<ArrayBuffer> }
  | Refusal
  /** The client went away: there is nobody to answer. */
  | { readonly kind: 'none' }
