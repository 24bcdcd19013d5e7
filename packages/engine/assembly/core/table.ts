/**
 * The distinct keys so far, by their hashes: open addressing with slots ordered by the first words of their hashes
 * (Amble and Knuth, "Ordered hash tables", The Computer Journal 1974). A slot's home is that word scaled to the
 * capacity, so the order is valid at any capacity, and the table can grow by any factor in place, without a second
 * table.
 *
 * A slot begins with two words of hash, the second never 0 (0 marks a free slot). In a table that identifies keys only
 * by hash, two more words of it follow. In an exact table, the last four bits of the second word give the length of a
 * short key, and its bytes follow; for a longer key, its address and length follow, and it is compared byte by byte. If
 * positions are stored, 8 more bytes hold the position of the key's first item.
 */

import { lowBytes, sameBytes } from './bytes'
import { clearCounts, Item, itemAt, KEPT, OPEN, REMOVED, UNDECIDED } from './item'
import { allocate, extend, isGiven, isLast } from './memory'

/** Slots after the last home. Keys are displaced by this many neighbours with a probability below 2^-100. */
const OVERFLOW: u32 = 256
const SMALLEST: u32 = 64
/** The most initial slots. */
const FIRST: u32 = 8_192
/** The highest percentage of slots in use: for a stream, whose keys take the memory, and for a list of known length. */
const MAX_LOAD_PERCENT: u64 = 80
const MAX_LOAD_PERCENT_OF_LIST: u64 = 60
/** The most slots of a first guess: beyond that, a table that is too large costs more than growing again. */
const GUESSED: u32 = 1 << 17
/** With more slots, fetching a key for comparison is usually a cache miss. */
const FAR_SLOTS: u32 = 1 << 19
const KEY_BLOCK_BYTES: u32 = 1 << 20

let slots: usize = 0
let capacity: u32 = 0
let used: u32 = 0
let slotBytes: usize = 16
let hasPositions: bool = false
let isExact: bool = false
let maxLoadPercent: u64 = MAX_LOAD_PERCENT
/** The total number of items; 0 if unknown. */
let total: f64 = 0
/** Keys in this range stay in place as long as the table exists; others are copied to blocks. */
let stableStart: usize = 0
let stableEnd: usize = 0
let blockAt: usize = 0
let blockEnd: usize = 0
let blockBytes: u64 = 0
/** Bytes of all blocks, and the most that they and the table may take together. */
let keyBytes: u64 = 0
let limit: u64 = u64.MAX_VALUE
/** Keeps `prefetch` from being optimised away. */
// biome-ignore lint/correctness/noUnusedVariables: it is only ever written
let seen: u32 = 0

/** Counts of all verdicts since `openTable`. */
export let kept: f64 = 0
export let removed: f64 = 0

/**
 * Opens an empty table. `items`: the total number of items, 0 if unknown. `exact`: keys are stored, and compared byte
 * by byte when hashes are equal. Keys between `stableFrom` and `stableTo` stay in place.
 */
export function openTable(items: f64, positions: bool, exact: bool, stableFrom: usize, stableTo: usize): bool {
  hasPositions = positions
  slotBytes = positions ? 24 : 16
  isExact = exact
  total = items
  maxLoadPercent = items ? MAX_LOAD_PERCENT_OF_LIST : MAX_LOAD_PERCENT
  kept = removed = 0
  stableStart = stableFrom
  stableEnd = stableTo
  blockAt = blockEnd = 0
  blockBytes = 4_096
  keyBytes = 0
  limit = u64.MAX_VALUE
  used = 0
  capacity = items ? <u32>max(<f64>SMALLEST, min(<f64>FIRST, 2 * items)) : SMALLEST
  slots = allocate(tableBytes(capacity))
  if (!slots) return false
  memory.fill(slots, 0, <usize>tableBytes(capacity))
  clearCounts()
  return true
}

/** Limits the memory of table and keys: `getOrInsert` stops early if more would be needed. */
export function limitTable(bytes: f64): void {
  limit = <u64>bytes
}

@inline
function tableBytes(slots: u32): u64 {
  return (<u64>slots + OVERFLOW) * slotBytes
}

@inline
function homeOf(hash0: u32): usize {
  return slots + <usize>((<u64>hash0 * capacity) >> 32) * slotBytes
}

/**
 * Judges all open items among the first `count`: a key that is new is inserted with its position. The first item's
 * position is `position`. Returns how many items were processed: fewer than `count` if there is no more memory.
 */
export function getOrInsert(items: usize, count: u32, position: f64): u32 {
  prefetch(items, count)
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict == OPEN) {
      if ((<u64>used + 1) * 100 > <u64>capacity * maxLoadPercent && !grow(position + <f64>i)) return i
      if (!getOrInsertKey(item, position + <f64>i)) return i
    } else if (item.verdict == KEPT) item.survivor = position + <f64>i
    countVerdict(item.verdict)
  }
  return count
}

@inline
function countVerdict(verdict: u32): void {
  if (verdict == KEPT) kept += 1
  else if (verdict == REMOVED) removed += 1
}

/**
 * Reads the home slots of all these items and the keys that may match, so that many cache misses are served at once
 * instead of one after another in `getOrInsertKey`.
 */
function prefetch(items: usize, count: u32): void {
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++) sum += load<u32>(homeOf(itemAt(items, i).hash0))
  if (isExact && capacity > FAR_SLOTS) {
    for (let i: u32 = 0; i < count; i++) {
      const hash0 = itemAt(items, i).hash0
      let slot = homeOf(hash0)
      while (load<u32>(slot) < hash0 && load<u32>(slot, 4)) slot += slotBytes
      if (load<u32>(slot) == hash0 && isLong(load<u32>(slot, 4))) sum += load<u8>(load<u32>(slot, 8))
    }
  }
  seen = sum
}

/**
 * Judges the open items among the first `count` whose keys the table knows; the others become undecided, and nothing is
 * added.
 */
export function find(items: usize, count: u32): void {
  prefetch(items, count)
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict == OPEN && seek(item)) item.verdict = UNDECIDED
    countVerdict(item.verdict)
  }
}

function getOrInsertKey(item: Item, position: f64): bool {
  const slot = seek(item)
  return !slot || insert(slot, item, position)
}

/** Where the item's key has to be inserted; 0 if it exists already, in which case the item has been judged. */
function seek(item: Item): usize {
  const hash0 = item.hash0
  let slot = homeOf(hash0)
  while (load<u32>(slot, 4)) {
    const first = load<u32>(slot)
    if (first > hash0) break
    if (first == hash0 && isKeyOf(slot, item)) {
      item.verdict = REMOVED
      item.survivor = hasPositions ? load<f64>(slot, 16) : -1
      return 0
    }
    slot += slotBytes
  }
  return slot
}

/** The longest key that fits in a slot, in bytes. */
const SHORT_BYTES: u32 = 8
/** The last bits of an exact slot's second word: a short key's length plus 1, or this. */
const LONG: u32 = 15

@inline
function isLong(second: u32): bool {
  return (second & LONG) == LONG
}

@inline
function secondWord(item: Item): u32 {
  if (!isExact) return item.hash1 | u32(item.hash1 == 0)
  const length = item.keyEnd - item.keyStart
  return (item.hash1 & ~LONG) | (length <= SHORT_BYTES ? length + 1 : LONG)
}

/** The bytes of a short key, followed by zeros. */
@inline
function shortKey(item: Item): u64 {
  const length = item.keyEnd - item.keyStart
  return length ? load<u64>(item.keyStart) & lowBytes(length) : 0
}

@inline
function isKeyOf(slot: usize, item: Item): bool {
  const second = secondWord(item)
  if (load<u32>(slot, 4) != second) return false
  if (!isExact) return load<u32>(slot, 8) == item.hash2 && load<u32>(slot, 12) == item.hash3
  if (!isLong(second)) return load<u64>(slot, 8) == shortKey(item)
  const length = item.keyEnd - item.keyStart
  return load<u32>(slot, 12) == length && sameBytes(load<u32>(slot, 8), item.keyStart, length)
}

function insert(slot: usize, item: Item, position: f64): bool {
  const end = slots + <usize>tableBytes(capacity)
  let free = slot
  while (free < end && load<u32>(free, 4)) free += slotBytes
  if (free == end) return grow(position) && getOrInsertKey(item, position)
  const second = secondWord(item)
  let rest = load<u64>(changetype<usize>(item), offsetof<Item>('hash2'))
  if (isExact) {
    rest = isLong(second) ? longKey(item) : shortKey(item)
    if (isLong(second) && !rest) return false
  }
  for (; free > slot; free -= slotBytes) copySlot(free, free - slotBytes)
  store<u32>(slot, item.hash0)
  store<u32>(slot, second, 4)
  store<u64>(slot, rest, 8)
  if (hasPositions) store<f64>(slot, position, 16)
  used++
  assert(isInOrder(slot) && isInOrder(slot + slotBytes))
  item.verdict = KEPT
  item.survivor = position
  return true
}

/** For assertions: whether this slot is free or in order. */
@inline
function isInOrder(slot: usize): bool {
  if (ASC_NO_ASSERT || slot <= slots || !load<u32>(slot, 4)) return true
  const before = slot - slotBytes
  return !load<u32>(before, 4) || load<u32>(before) <= load<u32>(slot)
}

/** Address and length of a stored key; 0 if there is no memory for it. */
function longKey(item: Item): u64 {
  const length = item.keyEnd - item.keyStart
  const place = keptKey(item.keyStart, length)
  return place ? ((<u64>length) << 32) | place : 0
}

/** Stores a key; returns its address, or 0 if there is no memory for it. */
function keptKey(start: usize, length: u32): usize {
  if (start >= stableStart && start < stableEnd) return start
  if (!blockAt || <u64>blockEnd - blockAt < length) {
    // Blocks double in size, so that small tasks need little.
    blockBytes = min(<u64>KEY_BLOCK_BYTES, 2 * blockBytes)
    const bytes = max(blockBytes, <u64>length)
    if (keyBytes + bytes + tableBytes(capacity) > limit) return 0
    blockAt = allocate(bytes)
    if (!blockAt) return 0
    keyBytes += bytes
    blockEnd = blockAt + <usize>bytes
  }
  const place = blockAt
  assert(place + length <= blockEnd && isGiven(place, length))
  memory.copy(place, start, length)
  // Aligned where there is room; reads need no alignment.
  blockAt = min(blockEnd, (place + length + 7) & ~7)
  return place
}

/**
 * Grows by half or, if the total number of items is known, to the number of keys expected from the share of distinct
 * ones among the first `items`, which is rarely too low, since later items repeat earlier ones. Returns false if there
 * is no memory for it.
 */
function grow(items: f64): bool {
  const oldSlots = slots
  const oldBytes = tableBytes(capacity)
  const expected = total && items > 0 ? <u64>((total / items) * <f64>used * (110 / <f64>maxLoadPercent)) : 0
  const guess = min(expected, <u64>max(GUESSED, 2 * capacity))
  const larger = min(slotsWithin(), max(<u64>capacity + (capacity >> 1), guess))
  if (larger <= capacity || larger >= 1 << 28) return false
  const bytes = tableBytes(<u32>larger)
  let to = oldSlots
  if (isLast(oldSlots, oldBytes)) {
    if (!extend(oldSlots, bytes)) return false
  } else {
    to = allocate(bytes)
    if (!to) return false
  }
  slots = to
  capacity = <u32>larger
  const packed = pack(oldSlots, oldBytes, to + <usize>bytes)
  memory.fill(to, 0, packed - to)
  spread(packed, to + <usize>bytes)
  if (to != oldSlots && oldBytes > <u64>blockEnd - blockAt) {
    blockAt = oldSlots
    blockEnd = oldSlots + <usize>oldBytes
  }
  return true
}

/** The most slots within the memory limit. */
function slotsWithin(): u64 {
  const room = limit > keyBytes ? (limit - keyBytes) / slotBytes : 0
  return room > OVERFLOW ? room - OVERFLOW : 0
}

/** Moves all used slots to the end of the table, in order; returns where they begin. */
function pack(from: usize, bytes: u64, end: usize): usize {
  let to = end
  for (let slot = from + <usize>bytes; slot > from; ) {
    slot -= slotBytes
    if (!load<u32>(slot, 4)) continue
    to -= slotBytes
    copySlot(to, slot)
  }
  return to
}

/** Places the slots from `from` on, in order, each at its home or after the previous one. */
function spread(from: usize, end: usize): void {
  let free = slots
  for (; from < end; from += slotBytes) {
    const slot = max(free, homeOf(load<u32>(from)))
    // More neighbours than OVERFLOW would overwrite slots that have yet to be moved.
    if (slot > from) unreachable()
    if (slot != from) {
      copySlot(slot, from)
      store<u32>(from, 0, 4)
    }
    free = slot + slotBytes
  }
}

@inline
function copySlot(to: usize, from: usize): void {
  v128.store(to, v128.load(from))
  if (slotBytes > 16) store<u64>(to, load<u64>(from, 16), 16)
}

/**
 * Applies known verdicts to the first `count` items. `position`: that of the first one; `survivors`: the position of
 * the survivor of each, 32 bits per item.
 */
export function decide(items: usize, count: u32, position: u32, survivors: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    const survivor = load<u32>(survivors + ((<usize>i) << 2))
    item.verdict = survivor == position + i ? KEPT : REMOVED
    item.survivor = <f64>survivor
    countVerdict(item.verdict)
  }
}
