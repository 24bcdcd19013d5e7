import { type ClientConnection, ClientDisconnected } from '../client-connection.ts'

/** Gives a place back. */
export type Release = () => void

/** There are no more places to be had. */
export class SemaphoreClosed extends Error {
  override readonly name = 'SemaphoreClosed'
}

interface Waiting {
  readonly enter: (release: Release) => void
  readonly refuse: (error: SemaphoreClosed) => void
}

/**
 * A number of places that are taken in turns: fair by tenant, and first come, first served within one. The tenant who
 * had the latest turn stands behind all others. With one place and one tenant it is a mutex. Any number may wait: what
 * they hold in memory is bounded elsewhere.
 */
export class FairSemaphore {
  readonly #places: number
  #taken = 0
  #isClosed = false
  /** In the order of their next turn; a tenant without anyone waiting is not here. */
  readonly #queues = new Map<string, Set<Waiting>>()

  /** Those that have a place. */
  get taken(): number {
    return this.#taken
  }

  /** Those that wait for one. */
  get waiting(): number {
    let waiting = 0
    for (const queue of this.#queues.values()) waiting += queue.size
    return waiting
  }

  /** Those of one tenant. */
  waitingOf(tenant: string): number {
    return this.#queues.get(tenant)?.size ?? 0
  }

  constructor(places: number) {
    this.#places = places
  }

  /**
   * Waits for a place.
   * @param tenant who shares fairly with others; one and the same where there is nobody to be fair to
   * @param client for whom the place is wanted
   * @returns what gives the place back, which must be called
   * @throws ClientDisconnected when the client goes first
   * @throws SemaphoreClosed
   */
  async acquire(tenant = '', client?: ClientConnection): Promise<Release> {
    if (client?.aborted) throw new ClientDisconnected()
    if (this.#isClosed) throw new SemaphoreClosed()
    return this.#taken < this.#places ? this.#occupy(tenant) : await this.#wait(tenant, client?.signal)
  }

  /** From now on whoever waits or comes is refused. */
  close(): void {
    this.#isClosed = true
    for (const queue of this.#queues.values()) {
      for (const waiting of queue) waiting.refuse(new SemaphoreClosed())
    }
    this.#queues.clear()
  }

  #wait(tenant: string, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(tenant, waiting)
        reject(new ClientDisconnected())
      }
      const waiting: Waiting = {
        enter(release) {
          signal?.removeEventListener('abort', leave)
          resolve(release)
        },
        refuse(error) {
          signal?.removeEventListener('abort', leave)
          reject(error)
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
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
      this.#toTheBack(tenant)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [tenant, queue] of this.#queues) {
      for (const waiting of queue) {
        this.#remove(tenant, waiting)
        this.#toTheBack(tenant)
        waiting.enter(this.#occupy(tenant))
        return
      }
    }
  }

  #remove(tenant: string, waiting: Waiting): void {
    const queue = this.#queues.get(tenant)
    if (queue?.delete(waiting) === true && queue.size === 0) this.#queues.delete(tenant)
  }

  #toTheBack(tenant: string): void {
    const queue = this.#queues.get(tenant)
    if (queue === undefined) return
    this.#queues.delete(tenant)
    this.#queues.set(tenant, queue)
  }
}
