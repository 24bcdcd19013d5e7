import type { Mode, Refusal } from '@keepfirst/protocol'
import type { Emails } from './steps/parse-emails.ts'

/*
 * The two seams of the way of a request. `http/` makes a `Call` of what came over the wire and
 * sends the `Reply`; `compute/` parses and runs. The pipeline between them knows neither sockets
 * nor threads.
 */

/** One request to an API route as the pipeline sees it; the method has been checked already. */
export interface Call {
  readonly authorization: string | undefined
  /** The `x-api-key` header; an empty one is the empty string. */
  readonly apiKey: string | undefined
  /** The caller's IPv4 address or IPv6 /64 network, in one canonical spelling. */
  readonly network: string
  /** `Content-Length`, or undefined when the body comes without a declared length. */
  readonly declaredBytes: number | undefined
  /**
   * Reads the whole body, and no more than `limitBytes` of it. `over` when there is more; `busy` when
   * all bodies that are open at the moment fill the server's bound. Rejects with `HungUp`.
   */
  readBody(limitBytes: number): Promise<ArrayBuffer | 'over' | 'busy'>
  /** Aborts when the client goes away before it has its answer. */
  readonly hungUp: AbortSignal
}

/** What goes back. A refusal that holds `retryAfter` is sent with the header of the same number. */
export type Reply = { readonly kind: 'result'; readonly body: Uint8Array } | Refusal

/** The client went away: nobody reads the answer. Recorded as status 499. */
export class HungUp extends Error {
  override readonly name = 'HungUp'
}

/** For whom something is read or run. */
export interface Client {
  /** Whose turn it is where callers queue fairly. */
  readonly caller: string
  /** Aborts when the client goes away before it has its answer. */
  readonly hungUp: AbortSignal
}

/** Where requests are parsed and run: in line when small, in worker threads when large or fuzzy. */
export interface Compute {
  /**
   * Reads a body of `POST /api/dedupe` and validates it (every 400 of the specification; what depends
   * on the caller comes later). `busy` when the queue is full. Rejects with `HungUp` once the client goes.
   */
  open(body: ArrayBuffer, client: Client): Promise<Job | Refusal | 'busy'>
}

/** Where bodies of `POST /api/validate` are read: in line when small, in a worker thread when large. */
export interface EmailReader {
  /** `busy` when the queue is full. Rejects with `HungUp` once the client goes. */
  readEmails(body: ArrayBuffer, client: Client): Promise<Emails | Refusal | 'busy'>
}

/** A request that has been parsed and waits for its admission. Ends by exactly one of `run` and `discard`. */
export interface Job {
  readonly kind: 'job'
  readonly mode: Mode
  /** Input rows as they are billed (specification 8.1). */
  readonly rows: number
  readonly fuzzy: boolean
  /**
   * Deduplicates. `busy` when the queue is full, `too long` when fuzzy work passed the operator's bound.
   * Rejects with `HungUp`.
   */
  run(): Promise<Ran | 'busy' | 'too long'>
  /** Lets go of a request that was refused after it was parsed. */
  discard(): void
}

/** The answer to a deduplication: the whole JSON body, and what the books want to know. */
export interface Ran {
  readonly kind: 'ran'
  readonly body: Uint8Array
  readonly kept: number
  readonly removed: number
}
