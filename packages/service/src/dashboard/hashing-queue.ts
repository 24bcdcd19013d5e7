import { FairSemaphore } from '../limits/fair-semaphore.ts'

/** Passwords hashed at once, passwords waiting, and the most waiting from one network. */
const AT_ONCE = 2
const MOST_WAITING = 64
const MOST_OF_NETWORK = 24

/**
 * Hashing a password is slow by design (some 50 ms of a core and 16 MB), and it runs on the threads that read files.
 * However many networks try to sign in, the work is limited, and they take turns.
 */
export class HashingQueue {
  readonly #semaphore: FairSemaphore
  readonly #mostWaiting: number
  readonly #mostOfNetwork: number

  constructor(atOnce: number = AT_ONCE, mostWaiting: number = MOST_WAITING, mostOfNetwork: number = MOST_OF_NETWORK) {
    this.#semaphore = new FairSemaphore(atOnce)
    this.#mostWaiting = mostWaiting
    this.#mostOfNetwork = mostOfNetwork
  }

  /** Whether the next one from that network would be refused. No single network can take all places in the queue. */
  isFullFor(network: string): boolean {
    const { waiting } = this.#semaphore
    return waiting >= this.#mostWaiting || this.#semaphore.waitingOf(network) >= this.#mostOfNetwork
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
