import { type ClientConnection, ClientDisconnected } from '../client-connection.ts'

/** Releases a place. */
export type Release = () => void

/** The semaphore has been closed. */
export class SemaphoreClosed extends Error {
  override readonly name = 'SemaphoreClosed'
}

interface Waiting {
  readonly enter: (release: Release) => void
  readonly refuse: (error: SemaphoreClosed) => void
}

/**
 * A number of places, given out fairly among tenants and in order of arrival within one: the tenant that was served
 * last goes to the back. With one place and one tenant it is a mutex. The number of waiters is not limited; the memory
 * they hold is limited elsewhere.
 */
export class FairSemaphore {
  readonly #places: number
  #taken = 0
  #isClosed = false
  /** In order of their next turn; only tenants with someone waiting. */
  readonly #queues = new Map<string, Set<Waiting>>()

  constructor(places: number) {
    this.#places = places
  }

  /** Places in use. */
  get taken(): number {
    return this.#taken
  }

  /** The number of waiters. */
  get waiting(): number {
    let waiting = 0
    for (const queue of this.#queues.values()) waiting += queue.size
    return waiting
  }

  /** Waiters of one tenant. */
  waitingOf(tenant: string): number {
    return this.#queues.get(tenant)?.size ?? 0
  }

  /**
   * Waits for a place.
   * @param tenant whom to be fair to; the same for everyone where fairness does not matter
   * @param client the client that needs the place
   * @returns a function that releases the place and has to be called
   * @throws ClientDisconnected when the client disconnects first
   * @throws SemaphoreClosed when the semaphore is closed
   */
  async acquire(tenant = '', client?: ClientConnection): Promise<Release> {
    if (client?.aborted) throw new ClientDisconnected()
    if (this.#isClosed) throw new SemaphoreClosed()
    return this.#taken < this.#places ? this.#occupy(tenant) : await this.#wait(tenant, client?.signal)
  }

  /** Rejects everyone who waits now or comes later. */
  close(): void {
    this.#isClosed = true
    for (const queue of this.#queues.values()) {
      for (const waiting of queue) waiting.refuse(new SemaphoreClosed())
    }
    this.#queues.clear()
  }

  #wait(tenant: string, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#remove(tenant, waiting)
        reject(new ClientDisconnected())
      }
      const waiting: Waiting = {
        enter(release) {
          signal?.removeEventListener('abort', onAbort)
          resolve(release)
        },
        refuse(error) {
          signal?.removeEventListener('abort', onAbort)
          reject(error)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const others = this.#queues.get(tenant)
      if (others) others.add(waiting)
      else this.#queues.set(tenant, new Set([waiting]))
    })
  }

  #occupy(tenant: string): Release {
    this.#taken += 1
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#taken -= 1
      this.#moveToBack(tenant)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [tenant, queue] of this.#queues) {
      for (const waiting of queue) {
        this.#remove(tenant, waiting)
        this.#moveToBack(tenant)
        waiting.enter(this.#occupy(tenant))
        return
      }
    }
  }

  #remove(tenant: string, waiting: Waiting): void {
    const queue = this.#queues.get(tenant)
    if (queue?.delete(waiting) === true && queue.size === 0) this.#queues.delete(tenant)
  }

  #moveToBack(tenant: string): void {
    const queue = this.#queues.get(tenant)
    if (queue === undefined) return
    this.#queues.delete(tenant)
    this.#queues.set(tenant, queue)
  }
}
