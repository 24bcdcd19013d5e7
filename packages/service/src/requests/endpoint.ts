import type { CallMode, Refusal } from '@keepfirst/protocol'
import type { Requester } from '../compute/compute.ts'
import type { Caller } from './caller.ts'

/** What the pipeline has to know of a request that has been parsed. */
export interface Billable {
  readonly kind: 'parsed'
  readonly mode: CallMode
  readonly rows: number
  readonly units: number
  /** What it holds in memory until it has run. */
  readonly heldBytes: number
}

/** An answer's body, and how many items were dropped (null where that has no meaning). */
export interface Done {
  readonly kind: 'ran'
  readonly body: Uint8Array<ArrayBuffer>
  readonly removed: number | null
}

/** What one endpoint adds to the pipeline that all share. */
export interface Endpoint<Parsed extends Billable> {
  readonly path: string
  /** The mode of every call, where it does not depend on the body. */
  readonly mode: CallMode | null
  /** May this caller come at all? */
  authorizeCaller(caller: Caller): Refusal | undefined
  /** Reads a body, and validates whatever does not depend on the caller. The body's buffer is used up. */
  parse(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<Parsed | Refusal | 'stopping'>
  /** Validates what does depend on the caller. */
  authorizeRequest(parsed: Parsed, caller: Caller): Refusal | undefined
  /** Does what was asked for. What was parsed is used up. */
  run(parsed: Parsed, requester: Requester): Promise<Done | 'too long' | 'stopping'>
}
