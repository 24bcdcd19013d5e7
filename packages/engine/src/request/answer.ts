import type { Space } from '../core/space.ts'
import type { Writing } from './list.ts'

const encoder = new TextEncoder()
/** What stands around the survivors. */
const FRAME_BYTES = 256

/** The answer to a request (specification 2.3), written as survivors are found. */
export class Answer {
  readonly #space: Space
  readonly #writing: Writing
  readonly #start: number
  #at: number
  readonly #first: number

  constructor(space: Space, writing: Writing) {
    this.#space = space
    this.#writing = writing
    this.#start = this.#at = space.allocate(writing.mostBytes + FRAME_BYTES)
    this.#put(`{"result":${writing.opening}`)
    this.#first = this.#at
  }

  /** Those of the first `count` items of the space that survive. */
  write(count: number): void {
    this.#at = this.#writing.write(count, this.#at) >>> 0
  }

  /** The whole answer. */
  end(kept: number, removed: number): Uint8Array<ArrayBuffer> {
    const { separator, closing } = this.#writing
    if (this.#at > this.#first) this.#at -= separator.length
    this.#put(`${closing},"kept":${kept},"removed":${removed}}`)
    return this.#space.bytes.slice(this.#start, this.#at)
  }

  #put(text: string): void {
    const bytes = encoder.encode(text)
    this.#space.bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }
}
