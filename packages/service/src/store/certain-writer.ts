import { type Clock, sleep } from './clock.ts'
import { AnswerLost, type BatchAnswer, type LedgerBatch, type LedgerDriver } from './ledger-driver.ts'

/** The database answers by then, or the answer counts as lost. */
const ANSWER_MS = 6_000
/** Pauses between questions what became of a batch; they double up to the longest. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** The answer to a commit was lost, and it has turned out that nothing was written. */
export class NeverWritten extends Error {
  override readonly name = 'NeverWritten'
}

export interface CertainWriterOptions {
  readonly driver: LedgerDriver
  readonly clock: Clock
  /** An answer was lost: from now on it is asked for. */
  readonly onLost: (error: unknown) => void
  readonly onSettled: (wasWritten: boolean) => void
}

/** Writes batches, and when an answer is lost or late, asks until it is certain what became of the commit. */
export class CertainWriter {
  readonly #options: CertainWriterOptions
  #isAbandoned = false

  constructor(options: CertainWriterOptions) {
    this.#options = options
  }

  /**
   * @throws NeverWritten when the answer was lost and nothing was written
   * @throws Error as `LedgerDriver.write` throws it when nothing was written
   */
  async write(batch: LedgerBatch): Promise<BatchAnswer> {
    const { driver, onLost, onSettled } = this.#options
    try {
      return await this.#inTime(driver.write(batch))
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error
      onLost(error)
    }
    const answer = await this.settle(batch)
    onSettled(answer !== 'never')
    if (answer === 'never') throw new NeverWritten('the answer to a commit was lost, and nothing was written')
    return answer
  }

  /**
   * Asks until it is certain whether a batch was written; from then on it never will be.
   * @throws Error when it is not to be asked any more
   */
  async settle(batch: Pick<LedgerBatch, 'id' | 'at'>): Promise<BatchAnswer | 'never'> {
    const { driver, clock } = this.#options
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
      try {
        return await this.#inTime(driver.settle(batch))
      } catch (error) {
        if (this.#isAbandoned) throw error
        await sleep(clock, pauseMs)
      }
    }
  }

  /** Asks no more. */
  abandon(): void {
    this.#isAbandoned = true
  }

  async #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let cancel = (): void => {}
    const late = new Promise<never>((_, reject) => {
      cancel = this.#options.clock.after(ANSWER_MS, () => reject(new AnswerLost('the database did not answer in time')))
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      cancel()
    }
  }
}
