import { FairSemaphore } from '../limits/fair-semaphore.ts'

/** Passwords that are hashed at once, that wait for it, and of these the most of one network. */
const AT_ONCE = 2
const MOST_WAITING = 64
const MOST_OF_NETWORK = 24

/**
 * Hashing a password is slow on purpose (some 50 ms of a core and 16 MB), and its threads are those that read files:
 * however many networks try to sign in, the server has only so much to give them. They take turns.
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

  /** Whether the next one of that network would be turned away. No network takes all the places there are to wait in. */
  isFullFor(network: string): boolean {
    const { waiting } = this.#semaphore
    return waiting >= this.#mostWaiting || this.#semaphore.waitingOf(network) >= this.#mostOfNetwork
  }

  /** Runs `work` of a network when it is its turn; `busy`, without running it, when too many wait. */
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
