import type { ShouldStop } from '@keepfirst/engine/request'

/*
 * How one thread tells another, in the middle of its work, to go on, to pause or to stop: a word of shared memory.
 */

const GO = 0
const PAUSE = 1
const STOP = 2

/** The side of whoever tells. */
export class Control {
  /** To be handed to the thread. */
  readonly memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  readonly #word = new Int32Array(this.memory)

  pause(): void {
    Atomics.compareExchange(this.#word, 0, GO, PAUSE)
  }

  resume(): void {
    Atomics.compareExchange(this.#word, 0, PAUSE, GO)
    Atomics.notify(this.#word, 0)
  }

  /** For good. */
  stop(): void {
    Atomics.store(this.#word, 0, STOP)
    Atomics.notify(this.#word, 0)
  }
}

/** The side of the work, which asks a few times a second. While it is to pause, the call does not return. */
export function obey(memory: SharedArrayBuffer): ShouldStop {
  const word = new Int32Array(memory)
  return () => {
    while (Atomics.load(word, 0) === PAUSE) Atomics.wait(word, 0, PAUSE)
    return Atomics.load(word, 0) === STOP
  }
}
