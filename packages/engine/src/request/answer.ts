import type { Space } from '../core/space.ts'
import type { PlacedList, Writing } from '../modes/mode.ts'

const encoder = new TextEncoder()
/** The text around the survivors. */
const FRAME_BYTES = 256

/** The answer to a request (specification 2.3), written as survivors are found. */
export class Answer {
  readonly #space: Space
  readonly #writing: Writing
  readonly #start: number
  #at: number
  readonly #first: number

  constructor(space: Space, { writing, mostBytes }: PlacedList) {
    this.#space = space
    this.#writing = writing
    this.#start = this.#at = space.allocate(mostBytes + FRAME_BYTES)
    this.#put(`{"result":${writing.opening}`)
    this.#first = this.#at
  }

  /** Writes the survivors among the first `count` items of the space. */
  write(count: number): void {
    this.#at = this.#writing.write(count, this.#at) >>> 0
  }

  /** The whole answer, in `buffer` if it has room, because memory already in use costs less than fresh pages. */
  end(kept: number, removed: number, buffer: ArrayBuffer): Uint8Array<ArrayBuffer> {
    const { separator, closing } = this.#writing
    if (this.#at > this.#first) this.#at -= separator.length
    this.#put(`${closing},"kept":${kept},"removed":${removed}}`)
    const answer = this.#space.bytes.subarray(this.#start, this.#at)
    if (answer.length > buffer.byteLength) return answer.slice()
    const body = new Uint8Array(buffer, 0, answer.length)
    body.set(answer)
    return body
  }

  #put(text: string): void {
    const bytes = encoder.encode(text)
    this.#space.bytes.set(bytes, this.#at)
    this.#at += bytes.length
  }
}
