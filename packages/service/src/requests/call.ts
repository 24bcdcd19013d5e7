import type { Refusal } from '@keepfirst/protocol'
import type { ClientConnection } from '../client-connection.ts'

/*
 * The pipeline's view of HTTP: `http/` turns incoming requests into `Call`s and sends the `Reply`s.
 */

/** A request to an API route as the pipeline sees it; its method has been checked already. */
export interface Call extends ClientConnection {
  /** Identifies the request in the log, and nowhere else. */
  readonly requestId: string
  readonly authorization: string | undefined
  /** The `x-api-key` header; an empty header is an empty string. */
  readonly apiKey: string | undefined
  /** The caller's IPv4 address or IPv6 /64 network, in canonical form. */
  readonly network: string
  /** `Content-Length`, or undefined if the body has no declared length. */
  readonly declaredBytes: number | undefined
  /**
   * Reads the whole body, at most `limitBytes` of it, into a buffer that may be longer. Returns `over` if there is
   * more, `busy` if there is no memory for it.
   * @param caller the unit of fairness: no caller's requests take all memory
   * @throws ClientDisconnected when the client disconnects
   */
  readBody(limitBytes: number, caller: string): Promise<Uint8Array<ArrayBuffer> | 'over' | 'busy'>
  /** Reserves memory for all that the request holds, including its body; false if there is not enough left. */
  reserveMemory(bytes: number): boolean
}

/** The answer. A refusal with `retryAfter` also gets the header `Retry-After`. */
export type Reply =
  /** Ownership of the body's whole buffer passes to the receiver. */
  | { readonly kind: 'result'; readonly body: Uint8Array<ArrayBuffer> }
  | Refusal
  /** The client disconnected, so there is no answer. */
  | { readonly kind: 'none' }
