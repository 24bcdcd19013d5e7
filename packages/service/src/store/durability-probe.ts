import { type Clock, withTimeout } from './clock.ts'
import type { LedgerDriver } from './ledger-driver.ts'

/** How long a proof is valid, so that frequent checks cost nothing. */
const PROOF_MS = 1_000
const ANSWER_MS = 3_000

/** Proves that commits reach the disk: through the ledger's own commits, or a separate one if there are none. */
export class DurabilityProbe {
  readonly #driver: LedgerDriver
  readonly #clock: Clock
  readonly #newId: () => string
  #provenAt = Number.NEGATIVE_INFINITY
  #proving: Promise<void> | undefined

  constructor(driver: LedgerDriver, clock: Clock, newId: () => string) {
    this.#driver = driver
    this.#clock = clock
    this.#newId = newId
  }

  /** A commit has succeeded. */
  succeeded(): void {
    this.#provenAt = this.#clock.monotonicMs()
  }

  /** A commit has failed, which invalidates earlier proofs. */
  failed(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY
  }

  /** @throws Error when the database cannot be written, or does not answer in time */
  prove(): Promise<void> {
    if (this.#clock.monotonicMs() - this.#provenAt < PROOF_MS) return Promise.resolve()
    this.#proving ??= this.#try().finally(() => {
      this.#proving = undefined
    })
    return this.#proving
  }

  async #try(): Promise<void> {
    // Settling a batch that never existed durably writes a row.
    const settled = this.#driver.settle({ at: this.#clock.now(), id: this.#newId() })
    if ((await withTimeout(settled, ANSWER_MS, this.#clock)) === 'late') throw new Error('the database does not answer')
    this.succeeded()
  }
}
