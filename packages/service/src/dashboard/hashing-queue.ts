import { FairSemaphore } from '../limits/fair-semaphore.ts'

/** Passwords that are hashed at once, and that wait for it. */
const AT_ONCE = 2
const MOST_WAITING = 64

/**
 * Hashing a password is slow on purpose (some 50 ms of a core and 16 MB), and its threads are those that read files:
 * however many networks try to sign in, the server has only so much to give them. They take turns.
 */
export class HashingQueue {
  readonly #semaphore: FairSemaphore
  readonly #mostWaiting: number

  constructor(atOnce: number = AT_ONCE, mostWaiting: number = MOST_WAITING) {
    this.#semaphore = new FairSemaphore(atOnce)
    this.#mostWaiting = mostWaiting
  }

  /** Whether the next one would be turned away. */
  get isFull(): boolean {
    return this.#semaphore.waiting >= this.#mostWaiting
  }

  /** Runs `work` of a network when it is its turn; `busy`, without running it, when too many wait. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T | 'busy'> {
    if (this.isFull) return 'busy'
    const release = await this.#semaphore.acquire(network)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
