import type { ShouldStop } from '@keepfirst/engine/request'

/*
 * Lets one thread tell another to continue, pause or stop in the middle of its work, through a word of shared memory.
 */

const GO = 0
const PAUSE = 1
const STOP = 2

/** The controlling side. */
export class Control {
  /** To be passed to the thread. */
  readonly memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  readonly #word = new Int32Array(this.memory)

  pause(): void {
    Atomics.compareExchange(this.#word, 0, GO, PAUSE)
  }

  resume(): void {
    Atomics.compareExchange(this.#word, 0, PAUSE, GO)
    Atomics.notify(this.#word, 0)
  }

  /** Permanently. */
  stop(): void {
    Atomics.store(this.#word, 0, STOP)
    Atomics.notify(this.#word, 0)
  }
}

/** The working side, which checks a few times a second. While the work is paused, the call does not return. */
export function createShouldStop(memory: SharedArrayBuffer): ShouldStop {
  const word = new Int32Array(memory)
  return () => {
    while (Atomics.load(word, 0) === PAUSE) Atomics.wait(word, 0, PAUSE)
    return Atomics.load(word, 0) === STOP
  }
}
