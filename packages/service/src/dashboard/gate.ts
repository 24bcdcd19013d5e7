/** Lets a few through at a time, lets some wait and turns the others away. */
export interface Gate {
  /** Would the next one be turned away? */
  readonly isFull: boolean
  /** Runs `work` when it is its turn; `busy`, without running it, when too many wait. */
  pass<T>(work: () => Promise<T>): Promise<T | 'busy'>
}

/**
 * Hashing a password is slow on purpose (some 50 ms of a core and 16 MB), and its threads are those that
 * read files: however many networks try to sign in, the server has only so much to give them.
 */
export function createGate(atOnce: number, waiting: number): Gate {
  const queue: (() => void)[] = []
  let inside = 0

  return {
    get isFull() {
      return inside >= atOnce && queue.length >= waiting
    },
    async pass(work) {
      if (inside >= atOnce) {
        if (this.isFull) return 'busy'
        await new Promise<void>((resolve) => queue.push(resolve)) // the place comes with the call
      } else {
        inside++
      }
      try {
        return await work()
      } finally {
        const next = queue.shift()
        if (next === undefined) inside--
        else next()
      }
    },
  }
}
