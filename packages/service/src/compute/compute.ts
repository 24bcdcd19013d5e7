import type { Refusal } from '@keepfirst/protocol'
import type { ClientConnection } from '../client-connection.ts'
import type { Emails } from './parse-emails.ts'
import type { ParsedRequest } from './parse-request.ts'
import type { RunResult } from './tasks.ts'

/** The caller for whom a request is parsed or run. */
export interface Requester {
  /** The account or keyless address that takes turns with others. */
  readonly tenant: string
  readonly client: ClientConnection
  /** When the complete request had arrived, in milliseconds of the service's clock. */
  readonly arrivedAt: number
}

/**
 * Parses and runs requests: on the event loop if small, in worker threads if large or fuzzy. Every method returns
 * `stopping` if the server stops before the work is done.
 */
export interface Compute {
  /**
   * Parses a body of `POST /api/dedupe` and finds every 400 of the specification. Consumes the body's buffer.
   * @throws ClientDisconnected when the client disconnects
   */
  parse(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<ParsedRequest | Refusal | 'stopping'>
  /**
   * Deduplicates; `too long` if fuzzy work exceeded the operator's limit. Consumes the parsed request.
   * @throws ClientDisconnected when the client disconnects
   */
  run(parsed: ParsedRequest, requester: Requester): Promise<RunResult | 'too long' | 'stopping'>
  /**
   * Parses a body of `POST /api/validate`. Consumes the body's buffer.
   * @throws ClientDisconnected when the client disconnects
   */
  parseEmails(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<Emails | Refusal | 'stopping'>
}
