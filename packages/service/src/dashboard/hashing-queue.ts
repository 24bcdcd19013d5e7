import { FairSemaphore } from '../limits/fair-semaphore.ts'

/** Passwords hashed at once, passwords waiting, and the most waiting from one network. */
const CONCURRENCY = 2
const MAX_WAITING = 64
const MAX_PER_NETWORK = 24

/**
 * Hashing a password is slow by design (some 50 ms of a core and 16 MB), and it runs on the threads that read files.
 * However many networks try to sign in, the work is limited, and they take turns.
 */
export class HashingQueue {
  readonly #semaphore: FairSemaphore
  readonly #maxWaiting: number
  readonly #maxPerNetwork: number

  constructor(
    concurrency: number = CONCURRENCY,
    maxWaiting: number = MAX_WAITING,
    maxPerNetwork: number = MAX_PER_NETWORK,
  ) {
    this.#semaphore = new FairSemaphore(concurrency)
    this.#maxWaiting = maxWaiting
    this.#maxPerNetwork = maxPerNetwork
  }

  /** Whether the next one from that network would be refused. No single network can take all places in the queue. */
  isFullFor(network: string): boolean {
    const { waiting } = this.#semaphore
    return waiting >= this.#maxWaiting || this.#semaphore.waitingOf(network) >= this.#maxPerNetwork
  }

  /** Runs `work` when it is that network's turn; returns `busy` without running it if too many are waiting. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T | 'busy'> {
    if (this.isFullFor(network)) return 'busy'
    const release = await this.#semaphore.acquire(network)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
