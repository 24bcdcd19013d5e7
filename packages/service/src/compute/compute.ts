import type { Refusal } from '@keepfirst/protocol'
import type { ClientConnection } from '../client-connection.ts'
import type { Emails } from './parse-emails.ts'
import type { ParsedRequest } from './parse-request.ts'
import type { Ran } from './tasks.ts'

/** For whom something is parsed or run. */
export interface Requester {
  /** Whose turn it is where many wait: an account, or a keyless address. */
  readonly tenant: string
  readonly client: ClientConnection
  /** When the whole request was there, in milliseconds of the service's clock. */
  readonly arrivedAt: number
}

/**
 * Where requests are parsed and run: in line when small, in worker threads when large or fuzzy. Every method throws
 * `ClientDisconnected` once the client goes, and answers `stopping` when the server ends before the work does.
 */
export interface Compute {
  /** Reads a body of `POST /api/dedupe` and finds every 400 of the specification. The body's buffer is used up. */
  parse(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<ParsedRequest | Refusal | 'stopping'>
  /** Deduplicates; `too long` when fuzzy work passed the operator's bound. The parsed request is used up. */
  run(parsed: ParsedRequest, requester: Requester): Promise<Ran | 'too long' | 'stopping'>
  /** Reads a body of `POST /api/validate`. The body's buffer is used up. */
  parseEmails(body: Uint8Array<ArrayBuffer>, requester: Requester): Promise<Emails | Refusal | 'stopping'>
}
