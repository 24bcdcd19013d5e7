import { type Kernel, MEMORY_BYTES, openKernel, PAGE_BYTES } from './kernel.ts'

/** The words of an item in the kernel's memory (assembly/stream/item.ts), 32 bits each. */
export const ITEM = {
  start: 0,
  end: 1,
  lineBreak: 2,
  next: 3,
  keyStart: 4,
  keyEnd: 5,
  hash: 6,
  quoted: 10,
  kept: 11,
  words: 12,
} as const

/** So many items are judged at a time: few enough to stay in the processor's cache. */
const ITEMS_AT_ONCE = 2_048
/** Room for one chunk of the input; doubled when a single item is longer. */
const WINDOW_BYTES = 262_144
/** The kernel reads and copies up to this many bytes past a text. */
const SLACK_BYTES = 64

/** What a random seed must hold, for `Workspace`. */
export const SEED_BYTES: number = openKernel().kernel.seedBytes()

/** Room for the keys of the items in a window: `growth` times the window's bytes, and some besides. */
export interface KeyRoom {
  growth: number
  slackBytes: number
}

/**
 * The kernel's memory and what stands where in it:
 * the seed, the items, then, sized after the window, hashes of blocks, the survivors, the keys, the window.
 */
export class Workspace {
  readonly kernel: Kernel
  readonly itemLimit: number = ITEMS_AT_ONCE
  readonly seed: number = SLACK_BYTES
  readonly items: number
  readonly #sized: number
  readonly #memory: WebAssembly.Memory
  readonly #keyRoom: KeyRoom
  readonly #memoryBytes: number
  windowBytes: number = WINDOW_BYTES
  blocks = 0
  out = 0
  keys = 0
  window = 0
  /** All of the memory, as bytes; a new view after `grow`. */
  bytes: Uint8Array<ArrayBuffer>
  /** All of the memory, as 32-bit words; a new view after `grow`. */
  words: Uint32Array<ArrayBuffer>

  /** `random`: SEED_BYTES unpredictable bytes. `memoryBytes`: all that may be used. */
  constructor(random: Uint8Array, keyRoom: KeyRoom, memoryBytes: number = MEMORY_BYTES) {
    const { kernel, memory } = openKernel()
    this.kernel = kernel
    this.#memory = memory
    this.#keyRoom = keyRoom
    this.#memoryBytes = memoryBytes
    this.items = aligned(this.seed + SEED_BYTES)
    this.#sized = aligned(this.items + this.itemLimit * kernel.itemBytes())
    this.bytes = new Uint8Array(memory.buffer)
    this.words = new Uint32Array(memory.buffer)
    if (!this.#place(WINDOW_BYTES, 0)) throw new Error('there is no memory to begin with')
    this.bytes.set(random.subarray(0, SEED_BYTES), this.seed)
  }

  /** The first word of item `index`. */
  item(index: number): number {
    return (this.items >>> 2) + index * ITEM.words
  }

  /** Where the room for keys ends. */
  get keysEnd(): number {
    return this.window - SLACK_BYTES
  }

  /** Twice the window; its first `usedBytes` bytes move along. False, and all as it was, when there is no memory for it. */
  grow(usedBytes: number): boolean {
    const growth = 2 + this.#keyRoom.growth
    return 2 * this.windowBytes * growth < this.#memoryBytes && this.#place(2 * this.windowBytes, usedBytes)
  }

  #place(windowBytes: number, usedBytes: number): boolean {
    const { growth, slackBytes } = this.#keyRoom
    const blocks = this.#sized
    const out = aligned(blocks + (windowBytes * Math.max(1, growth)) / 64 + 1_024)
    const keys = aligned(out + windowBytes)
    const window = aligned(keys + growth * windowBytes + slackBytes)
    if (!reach(this.#memory, window + windowBytes + SLACK_BYTES)) return false
    this.bytes = new Uint8Array(this.#memory.buffer)
    this.words = new Uint32Array(this.#memory.buffer)
    this.bytes.copyWithin(window, this.window, this.window + usedBytes)
    Object.assign(this, { windowBytes, blocks, out, keys, window })
    return true
  }
}

/** Makes a memory large enough for so many bytes; false when the system has no more. */
function reach(memory: WebAssembly.Memory, bytes: number): boolean {
  const missing = Math.ceil(bytes / PAGE_BYTES) - memory.buffer.byteLength / PAGE_BYTES
  try {
    if (missing > 0) memory.grow(missing)
    return true
  } catch (fault) {
    if (fault instanceof RangeError) return false
    throw fault
  }
}

/** Sets an item's bytes, from `start` to `end`, and its break, from there to `next`; it is its own key. */
export function setItem(space: Workspace, index: number, place: { start: number; end: number; next: number }): void {
  const { words } = space
  const item = space.item(index)
  words[item + ITEM.start] = words[item + ITEM.keyStart] = place.start
  words[item + ITEM.end] = words[item + ITEM.lineBreak] = words[item + ITEM.keyEnd] = place.end
  words[item + ITEM.next] = place.next
  words[item + ITEM.quoted] = words[item + ITEM.kept] = 0
}

/** The next address after some slack that is a multiple of 64, a cache line. */
function aligned(address: number): number {
  return Math.ceil((address + SLACK_BYTES) / 64) * 64
}
