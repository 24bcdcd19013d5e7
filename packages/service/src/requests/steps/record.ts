import { type Refusal, refuse } from '@keepfirst/protocol'
import type { Ending, Ticket } from '../../store/store.ts'
import { HungUp, type Reply } from '../call.ts'
import type { Caller } from '../caller.ts'
import type { Desk } from '../desk.ts'
import type { Done, Endpoint, Work } from '../way.ts'

/** What the log says of a client that went away before it had its answer. */
const HUNG_UP = 499

/**
 * The last step: what becomes known of a request on its way, and the one line of it that stays. A call is
 * recorded once its key is verified; only metadata is (specification 1.6).
 */
export class Record {
  caller: Caller | undefined
  job: Work | undefined
  ticket: Ticket | undefined
  readonly #endpoint: Pick<Endpoint<never>, 'path' | 'mode'>
  readonly #desk: Desk
  readonly #startedAt: number

  constructor(endpoint: Pick<Endpoint<never>, 'path' | 'mode'>, desk: Desk) {
    this.#endpoint = endpoint
    this.#desk = desk
    this.#startedAt = desk.now()
  }

  /** A step refused: nothing was taken. */
  refused(refusal: Refusal): Refusal {
    this.#writeRefused(refusal.status)
    return refusal
  }

  /** The work is done. Nobody waits for the books here: the units were taken at admission. */
  answered(done: Done): Reply {
    const { ticket } = this
    if (ticket) this.#later(this.#desk.store.complete(ticket, this.#ending(200, done.removed)))
    this.#observe(200, this.job?.units ?? 0)
    return { kind: 'result', body: done.body }
  }

  /** The service could not do what was paid for: the units go back before the refusal goes out. */
  async givenBack(refusal: Refusal): Promise<Refusal> {
    const { ticket } = this
    if (ticket) {
      await this.#desk.store.refund(ticket, this.#ending(refusal.status)).catch((error: unknown) => {
        this.#desk.log.error({ err: error }, 'units could not be given back: the store does not answer')
      })
    }
    this.#observe(refusal.status, 0)
    return refusal
  }

  /**
   * Something was thrown: the client hung up (its units stay billed), or a fault of ours.
   * @throws HungUp again, since there is nobody to answer
   */
  async failed(error: unknown): Promise<Refusal> {
    if (error instanceof HungUp) {
      this.#hungUp()
      throw error
    }
    this.#desk.log.error({ err: error, path: this.#endpoint.path }, 'a request failed')
    return this.ticket ? await this.givenBack(refuse.internal()) : this.refused(refuse.internal())
  }

  #hungUp(): void {
    if (!this.ticket) {
      this.#writeRefused(HUNG_UP)
      return
    }
    this.#later(this.#desk.store.complete(this.ticket, this.#ending(HUNG_UP)))
    this.#observe(HUNG_UP, this.job?.units ?? 0)
  }

  #writeRefused(status: number): void {
    this.#observe(status, 0)
    if (this.caller?.kind !== 'keyed') return
    const { holder } = this.caller
    const { mode, rows = null } = { ...this.#endpoint, ...this.job }
    const { durationMs } = this.#ending(status)
    this.#later(this.#desk.store.recordRefusal({ holder, at: this.#startedAt, mode, rows, status, durationMs }))
  }

  #ending(status: number, removed: number | null = null): Ending {
    return { status, removed, durationMs: Math.max(0, this.#desk.now() - this.#startedAt) }
  }

  #observe(status: number, units: number): void {
    const plan = this.caller?.plan.name ?? 'unknown'
    const { durationMs } = this.#ending(status)
    this.#desk.observe({ path: this.#endpoint.path, plan, status, units, durationMs })
  }

  #later(written: Promise<void>): void {
    written.catch((error: unknown) => {
      this.#desk.log.error({ err: error }, 'a call could not be recorded: the store does not answer')
    })
  }
}
