import type { CallMode, Refusal } from '@keepfirst/protocol'
import type { Requester } from '../compute/compute.ts'
import type { Caller } from './caller.ts'

/** What the pipeline needs to know about a parsed request. */
export interface Billable {
  readonly kind: 'parsed'
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
  /** The bytes that it holds in memory until it has run. */
  readonly heldBytes: number
}

/** An answer's body, and the number of items removed (null where that does not apply). */
export interface Done {
  readonly kind: 'ran'
  readonly body: Uint8Array<ArrayBuffer>
  readonly removed: number | null
}

/** What an endpoint adds to the common pipeline. */
export interface Endpoint<Parsed extends Billable> {
  readonly path: string
  /** The mode of every call, unless it depends on the body. */
  readonly mode: CallMode | null
  /** Refuses callers who may not use the endpoint at all. */
  authorizeCaller(caller: Caller): Refusal | undefined
  /** Parses a body and validates everything that does not depend on the caller. Consumes the body's buffer. */
  parse(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<Parsed | Refusal | 'stopping'>
  /** Validates what does depend on the caller. */
  authorizeRequest(parsed: Parsed, caller: Caller): Refusal | undefined
  /** Does the work. Consumes the parsed request. */
  run(parsed: Parsed, requester: Requester): Promise<Done | 'too long' | 'stopping'>
}
