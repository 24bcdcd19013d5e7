import { ITEMS_PER_BATCH, type KeyRoom, NoMemory, type Space } from '../core/space.ts'

/** Room for one chunk of the input; doubled when a single item is longer. */
const WINDOW_BYTES = 262_144
/** All that a kernel can address. */
const MAX_BYTES = 4_294_967_296

export interface WindowOptions {
  readonly memoryBytes?: number | undefined
  readonly outGrowth?: number
}

/** The part of a stream that is being scanned, in its own space, with room for its keys and survivors. */
export class Window {
  readonly space: Space
  readonly #room: KeyRoom
  readonly #memoryBytes: number
  readonly #outGrowth: number
  /** Where it begins, how long it is, and where survivors are gathered. */
  start = 0
  bytes = 0
  out = 0

  /**
   * @param room room for keys
   * @param memoryBytes memory for the window and its keys
   * @param outGrowth the most bytes of survivors per byte of the window
   * @throws NoMemory when there is not enough to begin with
   */
  constructor(space: Space, room: KeyRoom, { memoryBytes = MAX_BYTES, outGrowth = 1 }: WindowOptions = {}) {
    this.space = space
    this.#outGrowth = outGrowth
    this.#room = room
    this.#memoryBytes = memoryBytes
    if (!this.#place(WINDOW_BYTES, 0)) throw new NoMemory('there is no memory to begin with')
  }

  /**
   * Doubles the window, keeping its first `usedBytes` bytes. Returns false, changing nothing, if there is not enough
   * memory.
   */
  grow(usedBytes: number): boolean {
    const { made, lowered } = this.#room
    if (2 * this.bytes * (2 + made + lowered) >= this.#memoryBytes) return false
    return this.#place(2 * this.bytes, usedBytes)
  }

  #place(bytes: number, usedBytes: number): boolean {
    const { space } = this
    try {
      const start = space.allocate(bytes)
      const out = space.allocate(this.#outGrowth * bytes + ITEMS_PER_BATCH)
      space.layOut(bytes, this.#room)
      space.bytes.copyWithin(start, this.start, this.start + usedBytes)
      Object.assign(this, { start, bytes, out })
      return true
    } catch (error) {
      if (error instanceof NoMemory) return false
      throw error
    }
  }
}
