import { type Kernel, openKernel } from './kernel.ts'

/** Word offsets within an item in the kernel's memory (assembly/core/item.ts), 32 bits each. */
export const ITEM = {
  start: 0,
  end: 1,
  lineBreak: 2,
  next: 3,
  keyStart: 4,
  keyEnd: 5,
  hash: 6,
  flags: 10,
  verdict: 11,
  /** A 64-bit float. */
  survivor: 12,
  words: 14,
} as const

/** Values of `ITEM.verdict`. */
export const VERDICT = { open: 0, kept: 1, removed: 2, discarded: 3, undecided: 4 } as const

/** How many items are judged at a time: few enough to stay in the processor's cache. */
export const ITEMS_PER_BATCH = 2_048
/** Entries of the lower-case table. */
export const CODE_UNITS = 65_536

/** There is not enough memory. */
export class NoMemory extends Error {
  override readonly name = 'NoMemory'
}

/** Room for the keys of a text, as multiples of its bytes: for keys as made, and for their lower-case form. */
export interface KeyRoom {
  readonly made: number
  readonly lowered: number
}

export interface TableOptions {
  /** The total number of items; 0 if unknown. */
  readonly total: number
  /** Also store where each key was first seen: 8 bytes per slot. */
  readonly positions: boolean
  /** Keep the keys and compare every byte when hashes are equal, at the cost of storing the keys. */
  readonly exact: boolean
  /** A text that stays where it is: keys within it are not copied. */
  readonly stable?: { readonly placed: number; readonly to: number }
}

/** For keys that are used as they stand in the text. */
export const NO_ROOM: KeyRoom = { made: 0, lowered: 0 }

/** A small margin. */
const KEY_SLACK_BYTES = 256

/**
 * A kernel and its memory. Memory starts with the hash seed, the current items and the lower-case table; the rest is
 * laid out for each task.
 */
export class Space {
  readonly kernel: Kernel
  readonly #memory: WebAssembly.Memory
  readonly items: number
  readonly #seed: number
  #seededWith: Uint8Array | undefined
  readonly lowerTable: number
  hasLowerTable = false
  readonly #base: number
  #bytes: Uint8Array<ArrayBuffer>
  #words: Uint32Array<ArrayBuffer>
  #floats: Float64Array<ArrayBuffer>
  // Set by `layOut`: room for the hashes of long keys, for keys, and for lower-case keys.
  #blocks = 0
  #isExact = false
  keys = 0
  lowered = 0
  /** Room for the scanner's stack of open containers. */
  stack = 0

  constructor() {
    const { kernel, memory } = openKernel()
    this.kernel = kernel
    this.#memory = memory
    this.#bytes = new Uint8Array(memory.buffer)
    this.#words = new Uint32Array(memory.buffer)
    this.#floats = new Float64Array(memory.buffer)
    this.#seed = this.allocate(kernel.seedBytes())
    this.items = this.allocate(ITEMS_PER_BATCH * kernel.itemBytes())
    this.lowerTable = this.allocate(CODE_UNITS * 2)
    this.#base = kernel.mark()
  }

  /** The whole memory as bytes. A view is valid until the memory grows. */
  get bytes(): Uint8Array<ArrayBuffer> {
    this.#refreshViews()
    return this.#bytes
  }

  /** The whole memory as 32-bit words. */
  get words(): Uint32Array<ArrayBuffer> {
    this.#refreshViews()
    return this.#words
  }

  /** The whole memory as 64-bit floats. */
  get floats(): Float64Array<ArrayBuffer> {
    this.#refreshViews()
    return this.#floats
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength
  }

  /** Renews the views after memory has grown, which detaches them. */
  #refreshViews(): void {
    if (this.#bytes.byteLength > 0) return
    const { buffer } = this.#memory
    this.#bytes = new Uint8Array(buffer)
    this.#words = new Uint32Array(buffer)
    this.#floats = new Float64Array(buffer)
  }

  /** Sets the hash seed: `seedBytes` unpredictable bytes. @throws RangeError when there are too few */
  seedWith(seed: Uint8Array): void {
    if (this.#seededWith === seed) return
    const needed = this.kernel.seedBytes()
    if (seed.length < needed) throw new RangeError(`a seed has ${needed} bytes`)
    this.bytes.set(seed.subarray(0, needed), this.#seed)
    this.#seededWith = seed
  }

  /** Frees everything that was laid out. */
  clear(): void {
    this.kernel.release(this.#base)
  }

  /** @throws NoMemory when there is not enough */
  allocate(bytes: number): number {
    const start = this.kernel.allocate(bytes)
    if (start === 0) throw new NoMemory(`no memory for ${bytes} bytes`)
    return start >>> 0
  }

  /** Places a text with zeros after it, where a scanner stops. @throws NoMemory when there is no room for it */
  place(bytes: Uint8Array, more = 0): number {
    const start = this.allocate(bytes.length + more)
    this.bytes.set(bytes, start)
    this.endText(start + bytes.length)
    return start
  }

  /** Writes the zeros that end a text. */
  endText(end: number): void {
    this.bytes.fill(0, end, end + 16)
  }

  /**
   * Makes room for the keys of a text with this many bytes.
   * @throws NoMemory when there is not enough, changing nothing
   */
  layOut(textBytes: number, room: KeyRoom): void {
    const longest = textBytes * Math.max(1, room.made, room.lowered) + KEY_SLACK_BYTES
    const blocks = this.allocate(longest / 32 + 2_048)
    const stack = this.allocate(textBytes / 8 + 64)
    const keys = this.allocate(textBytes * room.made + KEY_SLACK_BYTES)
    this.lowered = this.allocate(textBytes * room.lowered + KEY_SLACK_BYTES)
    this.keys = keys
    this.stack = stack
    this.#blocks = blocks
  }

  /** Opens an empty table of keys. @throws NoMemory when there is not enough */
  openTable({ total, positions, exact, stable }: TableOptions): void {
    this.#isExact = exact
    const from = stable?.placed ?? 0
    if (!this.kernel.openTable(total, positions, exact, from, stable?.to ?? 0)) throw new NoMemory('no memory for keys')
  }

  /** The first word of item `index`. */
  item(index: number): number {
    return (this.items >>> 2) + index * ITEM.words
  }

  /** The position of the survivor of an item, given its first word. */
  survivorOf(item: number): number {
    return this.floats[(item + ITEM.survivor) >>> 1] ?? 0
  }

  hashKeys(count: number): void {
    this.kernel.hashKeys(this.items, count, this.#seed, this.#blocks, this.#isExact)
  }
}
