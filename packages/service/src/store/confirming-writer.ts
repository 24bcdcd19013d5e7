import { type Clock, sleep, withTimeout } from './clock.ts'
import { AnswerLost, type BatchAnswer, type LedgerBatch, type LedgerDriver } from './ledger-driver.ts'

/** If the database has not answered by then, the answer counts as lost. */
const ANSWER_MS = 6_000
/** Pauses between inquiries about a batch, which double up to the longest. */
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

/** The answer to a commit was lost, and it turned out that nothing was written. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten'
}

export interface ConfirmingWriterOptions {
  readonly driver: LedgerDriver
  readonly clock: Clock
  /** Called when an answer was lost, before the first inquiry about it. */
  readonly onLost: (error: unknown) => void
  readonly onSettled: (wasWritten: boolean) => void
}

/** Writes batches; if an answer is lost or late, inquires until the outcome of the commit is certain. */
export class ConfirmingWriter {
  readonly #options: ConfirmingWriterOptions
  #isAbandoned = false

  constructor(options: ConfirmingWriterOptions) {
    this.#options = options
  }

  /**
   * @throws NotWritten when the answer was lost and nothing was written
   * @throws Error when the driver failed and nothing was written (its own error)
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
    if (answer === 'never') throw new NotWritten('the answer to a commit was lost, and nothing was written')
    return answer
  }

  /**
   * Inquires until it is certain whether a batch was written. If it was not, it can never be written afterwards.
   * @throws Error when inquiries are abandoned
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

  /** Stops all inquiries. */
  abandon(): void {
    this.#isAbandoned = true
  }

  async #inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
    const answer = await withTimeout(asked, ANSWER_MS, this.#options.clock)
    if (answer === 'late') throw new AnswerLost('the database did not answer in time')
    return answer
  }
}
