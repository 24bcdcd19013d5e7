import { type Refusal, refuse } from '@keepfirst/protocol'
import { ClientDisconnected } from '../../client-connection.ts'
import type { Completion, Ticket } from '../../store/store.ts'
import type { Reply } from '../call.ts'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import type { Billable, Done, Endpoint } from '../endpoint.ts'

/** The status in the log for a client that disconnected before it had its answer. */
const DISCONNECTED = 499

/**
 * The last step: collects what becomes known about a request and records it once. Only calls whose key was verified are
 * recorded, and only their metadata (specification 1.6).
 */
export class CallRecorder {
  caller: Caller | undefined
  parsed: Billable | undefined
  ticket: Ticket | undefined
  readonly #requestId: string
  readonly #endpoint: Pick<Endpoint<never>, 'path' | 'mode'>
  readonly #context: Context
  readonly #startedAt: number
  readonly #startedMs: number

  constructor(requestId: string, endpoint: Pick<Endpoint<never>, 'path' | 'mode'>, context: Context) {
    this.#requestId = requestId
    this.#endpoint = endpoint
    this.#context = context
    this.#startedAt = context.now()
    this.#startedMs = context.monotonicMs()
  }

  /** A step refused: nothing was charged. */
  refused(refusal: Refusal): Refusal {
    this.#writeRefused(refusal.status, refusal)
    return refusal
  }

  /** The work is done. This does not wait for the ledger, since the units were charged at admission. */
  answered(done: Done): Reply {
    const { ticket } = this
    if (ticket) this.#context.store.complete(ticket, this.#completion(200, done.removed))
    this.#observe(200, this.parsed?.units ?? 0)
    return { kind: 'result', body: done.body }
  }

  /** The service could not do the work that was paid for: the units are refunded before the refusal is sent. */
  async refunded(refusal: Refusal): Promise<Refusal> {
    await this.#refund(refusal.status, refusal)
    return refusal
  }

  /** The client disconnected before its charge was committed, so the charge is refunded. */
  async withdrawn(): Promise<Reply> {
    await this.#refund(DISCONNECTED)
    return { kind: 'none' }
  }

  /** An error was thrown: the client disconnected (after admission its units stay charged), or a fault of ours. */
  async failed(error: unknown): Promise<Reply> {
    if (error instanceof ClientDisconnected) {
      this.#disconnected()
      return { kind: 'none' }
    }
    this.#context.log.error({ err: error, requestId: this.#requestId, path: this.#endpoint.path }, 'a request failed')
    return this.ticket ? await this.refunded(refuse.internal()) : this.refused(refuse.internal())
  }

  async #refund(status: number, refusal?: Refusal): Promise<void> {
    const { ticket } = this
    if (ticket) await this.#context.store.refund(ticket, this.#completion(status))
    this.#observe(status, 0, refusal)
  }

  #disconnected(): void {
    if (!this.ticket) {
      this.#writeRefused(DISCONNECTED)
      return
    }
    this.#context.store.complete(this.ticket, this.#completion(DISCONNECTED))
    this.#observe(DISCONNECTED, this.parsed?.units ?? 0)
  }

  #writeRefused(status: number, refusal?: Refusal): void {
    this.#observe(status, 0, refusal)
    if (this.caller?.kind !== 'keyed') return
    const { holder } = this.caller
    const { mode, rows = null } = { ...this.#endpoint, ...this.parsed }
    const { durationMs } = this.#completion(status)
    this.#context.store.recordRefusal({ holder, at: this.#startedAt, mode, rows, status, durationMs })
  }

  #completion(status: number, removed: number | null = null): Completion {
    return { status, removed, durationMs: Math.round(this.#context.monotonicMs() - this.#startedMs) }
  }

  #observe(status: number, units: number, refusal?: Refusal): void {
    const plan = this.caller?.plan.name ?? 'unknown'
    const { durationMs } = this.#completion(status)
    const error = refusal === undefined || status < 500 ? {} : { error: refusal.body.error }
    const requestId = this.#requestId
    this.#context.observe({ requestId, path: this.#endpoint.path, plan, status, units, durationMs, ...error })
  }
}
