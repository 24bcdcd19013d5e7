import type { Entry, Outcome } from './books.ts'
import { BadEntry } from './database.ts'

/** Entries of one transaction at most: keeps the time that one commit takes within bounds. */
const MOST_ENTRIES = 256

interface Waiting {
  readonly entry: Entry
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * What comes while one commit is under way goes into the next one together, so that throughput does not
 * hang on one wait for the disk per entry, and nobody waits for a timer. Each entry is answered after its
 * own commit.
 */
export class GroupCommit {
  readonly #apply: (entries: readonly Entry[]) => Promise<readonly Outcome[]>
  readonly #waiting: Waiting[] = []
  #working: Promise<void> | undefined

  /** `apply` makes a batch durable as a whole, or rejects and leaves nothing of it. */
  constructor(apply: (entries: readonly Entry[]) => Promise<readonly Outcome[]>) {
    this.#apply = apply
  }

  /** Resolves with the outcome once it is durable; rejects when it could not be made so. */
  put(entry: Entry): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
      this.#working ??= this.#work()
    })
  }

  /** Resolves when nothing is waiting any more. */
  async idle(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  async #work(): Promise<void> {
    // One turn of the event loop, so that requests that were read together are committed together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, MOST_ENTRIES))
    this.#working = undefined
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await this.#apply(batch.map((waiting) => waiting.entry))
      for (const [position, waiting] of batch.entries()) settle(waiting, outcomes[position])
    } catch (error) {
      if (error instanceof BadEntry && batch.length > 1) {
        // One entry that the database won't take must not spoil its neighbours.
        for (const waiting of batch) await this.#commit([waiting])
      } else {
        for (const waiting of batch) waiting.reject(error)
      }
    }
  }
}

function settle(waiting: Waiting, outcome: Outcome | undefined): void {
  if (outcome === undefined) waiting.reject(new Error('an entry of a batch was left without an outcome'))
  else waiting.resolve(outcome)
}
