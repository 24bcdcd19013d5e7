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
 *
 */
export class Workspace {
  readonly kernel: Kernel
  readonly itemLimit: number = ITEMS_AT_ONCE
  readonly seed: number = SLACK_BYTES
  readonly items: number
  readonly #sized: number
  readonly #memory: WebAssembly.Memory
  readonly #keyRoom: KeyRoom
  windowBytes: number = WINDOW_BYTES
  blocks = 0
  out = 0
  keys = 0
  window = 0
  /** All of the memory, as bytes; a new view after `grow`. */
  bytes: Uint8Array<ArrayBuffer>
  /** All of the memory, as 32-bit words; a new view after `grow`. */
  words: Uint32Array<ArrayBuffer>

  /** `random`: SEED_BYTES unpredictable bytes. */
  constructor(random: Uint8Array, keyRoom: KeyRoom) {
    const { kernel, memory } = openKernel()
    this.kernel = kernel
    this.#memory = memory
    this.#keyRoom = keyRoom
    this.items = aligned(this.seed + SEED_BYTES)
    this.#sized = aligned(this.items + this.itemLimit * kernel.itemBytes())
    this.bytes = new Uint8Array(memory.buffer)
    this.words = new Uint32Array(memory.buffer)
    this.#place(0)
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

  /** Twice the window; its first `usedBytes` bytes move along. False when the memory ends there. */
  grow(usedBytes: number): boolean {
    const growth = 2 + this.#keyRoom.growth
    if (2 * this.windowBytes * growth >= MEMORY_BYTES) return false
    this.windowBytes *= 2
    this.#place(usedBytes)
    return true
  }

  #place(usedBytes: number): void {
    const before = this.window
    this.blocks = this.#sized
    this.out = aligned(this.blocks + (this.windowBytes * Math.max(1, this.#keyRoom.growth)) / 64 + 1_024)
    this.keys = aligned(this.out + this.windowBytes)
    this.window = aligned(this.keys + this.#keyRoom.growth * this.windowBytes + this.#keyRoom.slackBytes)
    const pages = Math.ceil((this.window + this.windowBytes + SLACK_BYTES) / PAGE_BYTES)
    const missing = pages - this.#memory.buffer.byteLength / PAGE_BYTES
    if (missing > 0) this.#memory.grow(missing)
    this.bytes = new Uint8Array(this.#memory.buffer)
    this.words = new Uint32Array(this.#memory.buffer)
    this.bytes.copyWithin(this.window, before, before + usedBytes)
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
