import { ClientDisconnected } from '../client-connection.ts'
import type { Requester } from './compute.ts'

/** Gives a place back. */
export type Release = () => void

interface Waiting {
  readonly resolve: (outcome: Release | 'closed') => void
}

/**
 * So many places, which are taken in turns: fair by tenant, first come, first served within one. Whoever had the
 * latest turn stands behind all other tenants. Any number may wait: what they hold in memory is bounded elsewhere.
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

  constructor(places: number) {
    this.#places = places
  }

  /**
   * Waits for a place; whoever gets one must give it back.
   * @returns `closed` when there are no more turns
   * @throws ClientDisconnected when the client goes first
   */
  async acquire({ tenant, client }: Pick<Requester, 'tenant' | 'client'>): Promise<Release | 'closed'> {
    if (client.aborted) throw new ClientDisconnected()
    if (this.#isClosed) return 'closed'
    return this.#taken < this.#places ? this.#occupy(tenant) : await this.#wait(tenant, client.signal)
  }

  /** From now on everyone who waits or comes hears `closed`. */
  close(): void {
    this.#isClosed = true
    for (const queue of this.#queues.values()) {
      for (const waiting of queue) waiting.resolve('closed')
    }
    this.#queues.clear()
  }

  #wait(tenant: string, signal: AbortSignal): Promise<Release | 'closed'> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(tenant, waiting)
        reject(new ClientDisconnected())
      }
      const waiting: Waiting = {
        resolve(outcome) {
          signal.removeEventListener('abort', leave)
          resolve(outcome)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
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
        waiting.resolve(this.#occupy(tenant))
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
