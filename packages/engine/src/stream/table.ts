import { KeptKeys } from './keys.ts'
import type { Judge } from './sifter.ts'
import { ITEM, type Workspace } from './workspace.ts'

/** The survivor's position of a key that was seen before, in a table that remembers no positions. */
export const SEEN_BEFORE = -1

/** Segments grow one at a time, so that growing never needs the whole table twice. */
const SEGMENTS = 256
const SEGMENT_SHIFT = 24
const SMALLEST_CAPACITY = 16
const GROWTH = 1.5
const FULLEST = 0.8
const SLOT_WORDS = 4

export interface KeyTableOptions {
  /** Remember where each key was seen first: 8 bytes a slot. */
  positions: boolean
  /** Keep the keys themselves and compare every byte: 8 bytes a slot, each key and 4 bytes more. */
  exact: boolean
}

interface Segment {
  /** Four words a slot, the key's hash; the last of them is 0 in a free slot alone. */
  readonly slots: Uint32Array
  readonly capacity: number
  size: number
  readonly positions: Float64Array | null
  readonly places: Float64Array | null
}

/**
 * The distinct keys so far, by their 128-bit hashes: open addressing in typed arrays, since a Map ends at
 * 16.7 million entries and takes several times the memory. A slot has 16 bytes and 53 to 80 of a hundred are
 * taken: 20 to 30 bytes a key.
 *
 * A slot's home is the hash scaled to the capacity, not a remainder: slots stay in the order of their hashes,
 * so that a segment may grow by any factor and growing walks through memory in order.
 */
export class KeyTable implements Judge {
  readonly #space: Workspace
  readonly #options: KeyTableOptions
  readonly #segments: Segment[]
  readonly #keptKeys = new KeptKeys()
  /** What `approach` read, so that its reading is not optimised away. */
  lastSeen = 0

  constructor(space: Workspace, options: KeyTableOptions) {
    this.#space = space
    this.#options = options
    this.#segments = Array.from({ length: SEGMENTS }, () => this.#emptySegment(SMALLEST_CAPACITY))
  }

  /**
   * Claims the key of an item (its first word in the workspace, hash and key set) for `position`.
   * Returns `position` when the key is new, else the position that has claimed it.
   */
  claim(item: number, position: number): number {
    const { words } = this.#space
    const hash0 = words[item + ITEM.hash] ?? 0
    const hash1 = words[item + ITEM.hash + 1] ?? 0
    const hash2 = words[item + ITEM.hash + 2] ?? 0
    const hash3 = words[item + ITEM.hash + 3] || 1
    const segment = this.#segmentOf(hash0)
    const { slots, capacity } = segment
    let slot = homeOf(hash1, capacity)
    for (;;) {
      const at = slot * SLOT_WORDS
      if (slots[at + 3] === 0) break
      if (
        slots[at] === hash0 &&
        slots[at + 1] === hash1 &&
        slots[at + 2] === hash2 &&
        slots[at + 3] === hash3 &&
        this.#isSameKey(segment, slot, item)
      ) {
        return segment.positions ? (segment.positions[slot] ?? SEEN_BEFORE) : SEEN_BEFORE
      }
      if (++slot === capacity) slot = 0
    }
    const at = slot * SLOT_WORDS
    slots[at] = hash0
    slots[at + 1] = hash1
    slots[at + 2] = hash2
    slots[at + 3] = hash3
    if (segment.positions) segment.positions[slot] = position
    if (segment.places) segment.places[slot] = this.#keepKey(item)
    if (++segment.size > capacity * FULLEST) this.#segments[hash0 >>> SEGMENT_SHIFT] = this.#grown(segment)
    return position
  }

  /**
   * Looks at the home slots of the first `count` items, so that their memory is on its way to the cache, many
   * at once, before `claim` waits for one after another.
   */
  approach(count: number): void {
    const { words } = this.#space
    let seen = 0
    for (let index = 0; index < count; index++) {
      const hash = this.#space.item(index) + ITEM.hash
      const { slots, capacity } = this.#segmentOf(words[hash] ?? 0)
      seen |= slots[homeOf(words[hash + 1] ?? 0, capacity) * SLOT_WORDS] ?? 0
    }
    this.lastSeen = seen
  }

  /** The segment of all keys whose hashes begin with this word's first byte. */
  #segmentOf(hash0: number): Segment {
    const segment = this.#segments[hash0 >>> SEGMENT_SHIFT]
    if (segment === undefined) throw new RangeError('a hash word has 32 bits')
    return segment
  }

  #isSameKey(segment: Segment, slot: number, item: number): boolean {
    if (!segment.places) return true
    const { words, bytes } = this.#space
    const start = words[item + ITEM.keyStart] ?? 0
    return this.#keptKeys.equals(segment.places[slot] ?? 0, bytes, start, words[item + ITEM.keyEnd] ?? 0)
  }

  #keepKey(item: number): number {
    const { words, bytes } = this.#space
    return this.#keptKeys.keep(bytes, words[item + ITEM.keyStart] ?? 0, words[item + ITEM.keyEnd] ?? 0)
  }

  #emptySegment(capacity: number): Segment {
    return {
      slots: new Uint32Array(capacity * SLOT_WORDS),
      capacity,
      size: 0,
      positions: this.#options.positions ? new Float64Array(capacity) : null,
      places: this.#options.exact ? new Float64Array(capacity) : null,
    }
  }

  #grown(from: Segment): Segment {
    const to = this.#emptySegment(Math.ceil(from.capacity * GROWTH))
    to.size = from.size
    for (let slot = 0; slot < from.capacity; slot++) {
      const at = slot * SLOT_WORDS
      if (from.slots[at + 3] === 0) continue
      let free = homeOf(from.slots[at + 1] ?? 0, to.capacity)
      while (to.slots[free * SLOT_WORDS + 3] !== 0) if (++free === to.capacity) free = 0
      for (let word = 0; word < SLOT_WORDS; word++) to.slots[free * SLOT_WORDS + word] = from.slots[at + word] ?? 0
      if (to.positions) to.positions[free] = from.positions?.[slot] ?? 0
      if (to.places) to.places[free] = from.places?.[slot] ?? 0
    }
    return to
  }
}

/** The second word of a hash, spread over the slots. The capacity is far below 2^21: the product is exact enough. */
function homeOf(word: number, capacity: number): number {
  return Math.floor(word * (capacity / 2 ** 32))
}
