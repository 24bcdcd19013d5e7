import { type Client, HungUp } from '../requests/call.ts'

/** Gives a place back. */
export type Release = () => void

export interface TurnLimits {
  /** How many may work at once. */
  readonly places: number
  /** How many may wait, all lanes together. */
  readonly waiting: number
  /** How many of one lane may wait, so that nobody fills the room alone. */
  readonly waitingPerLane: number
}

interface Waiting {
  readonly resolve: (turn: Release | 'busy') => void
}

/**
 * Places that are taken in turns: fair by caller, each of whom stands in a lane of their own; first come,
 * first served within a lane. Whoever had the latest turn stands behind all other lanes.
 */
export class Turns {
  readonly #limits: TurnLimits
  #taken = 0
  #waiting = 0
  #isClosed = false
  /** In the order of their next turn; a lane without anyone waiting is not here. */
  readonly #lanes = new Map<string, Set<Waiting>>()

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a place; whoever gets one must give it back.
   * @throws HungUp when the client goes first
   */
  take({ caller: lane, hungUp }: Client): Promise<Release | 'busy'> {
    if (hungUp.aborted) return Promise.reject(new HungUp())
    if (this.#taken < this.#limits.places && !this.#isClosed) return Promise.resolve(this.#occupy(lane))
    const isFull = this.#isClosed || this.#waiting >= this.#limits.waiting
    if (isFull || (this.#lanes.get(lane)?.size ?? 0) >= this.#limits.waitingPerLane) return Promise.resolve('busy')
    return this.#wait(lane, hungUp)
  }

  /** From now on everyone who waits or comes hears `busy`. */
  close(): void {
    this.#isClosed = true
    for (const line of this.#lanes.values()) {
      for (const waiting of line) waiting.resolve('busy')
    }
    this.#lanes.clear()
    this.#waiting = 0
  }

  #wait(lane: string, hungUp: AbortSignal): Promise<Release | 'busy'> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#remove(lane, waiting)
        reject(new HungUp())
      }
      const waiting: Waiting = {
        resolve(turn) {
          hungUp.removeEventListener('abort', leave)
          resolve(turn)
        },
      }
      hungUp.addEventListener('abort', leave, { once: true })
      const others = this.#lanes.get(lane)
      if (others) others.add(waiting)
      else this.#lanes.set(lane, new Set([waiting]))
      this.#waiting += 1
    })
  }

  #occupy(lane: string): Release {
    this.#taken += 1
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#taken -= 1
      this.#toTheBack(lane)
      this.#startNext()
    }
  }

  #startNext(): void {
    for (const [lane, line] of this.#lanes) {
      for (const waiting of line) {
        this.#remove(lane, waiting)
        this.#toTheBack(lane)
        waiting.resolve(this.#occupy(lane))
        return
      }
    }
  }

  #remove(lane: string, waiting: Waiting): void {
    const line = this.#lanes.get(lane)
    if (!line?.delete(waiting)) return
    this.#waiting -= 1
    if (line.size === 0) this.#lanes.delete(lane)
  }

  #toTheBack(lane: string): void {
    const line = this.#lanes.get(lane)
    if (line === undefined) return
    this.#lanes.delete(lane)
    this.#lanes.set(lane, line)
  }
}
