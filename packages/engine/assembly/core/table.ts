/**
 * The distinct keys so far, by their hashes: open addressing with slots in the order of their hashes' first words
 * (Amble and Knuth, "Ordered hash tables", The Computer Journal 1974). A slot's home is that word scaled to the
 * capacity, so the order holds at any capacity, and the table grows by any factor in place, without a second table.
 *
 * A slot begins with two words of hash, the second never 0 (0 is a free slot). Then, of a table that knows its keys by
 * their hashes alone, two words more of it. Of an exact one, the last four bits of the second word tell how long a
 * short key is, and its bytes themselves follow; of a longer one place and length, and it is compared byte by byte.
 * Where positions are asked for, 8 bytes more hold that of the key's first item.
 */
import { Item, itemAt, KEPT, OPEN, REMOVED, UNDECIDED, clearCounts } from './item'
import { allocate, extend, isGiven, isLast } from './memory'
import { lowBytes, sameBytes } from './bytes'

/** Slots behind the last home. This many neighbours are never pushed on by chance: 2^-100 and less. */
const OVERFLOW: u32 = 256
const SMALLEST: u32 = 64
/** Slots to begin with, at most. */
const FIRST: u32 = 8_192
/** Slots in use, of a hundred, at most: of a stream, whose keys take the memory, and of a list that is known. */
const FULLEST: u64 = 80
const FULLEST_OF_LIST: u64 = 60
/** Slots that a first guess may ask for: beyond them a table that is too large costs more than growing again. */
const GUESSED: u32 = 1 << 17
/** With more slots a key that is compared has to be fetched from far away. */
const FAR_SLOTS: u32 = 1 << 19
const KEY_BLOCK_BYTES: u32 = 1 << 20

let slots: usize = 0
let capacity: u32 = 0
let used: u32 = 0
let slotBytes: usize = 16
let hasPositions: bool = false
let isExact: bool = false
let fullest: u64 = FULLEST
/** Items that there will be in all; 0 when nobody knows. */
let total: f64 = 0
/** Keys in this stretch stay where they are as long as the table lives; others are copied to blocks. */
let stableStart: usize = 0
let stableEnd: usize = 0
let blockAt: usize = 0
let blockEnd: usize = 0
let blockBytes: u64 = 0
/** Bytes of all blocks, and what they and the table may take together. */
let keyBytes: u64 = 0
let limit: u64 = u64.MAX_VALUE
/** What `prefetch` read, so that its reading is not optimised away. */
// biome-ignore lint/correctness/noUnusedVariables: writing it is its use
let seen: u32 = 0

/** Counts of all verdicts since `openTable`. */
export let kept: f64 = 0
export let removed: f64 = 0

/**
 * An empty table. `items`: how many there will be in all, 0 when nobody knows. `exact`: keys are kept, and compared
 * byte by byte when hashes are equal. The stretch named last holds keys that stay where they are.
 */
export function openTable(items: f64, positions: bool, exact: bool, stableFrom: usize, stableTo: usize): bool {
  hasPositions = positions
  slotBytes = positions ? 24 : 16
  isExact = exact
  total = items
  fullest = items ? FULLEST_OF_LIST : FULLEST
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

/** From now on table and keys take this many bytes at most: `claim` ends early when they would take more. */
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
 * Decides about the first `count` items that are still open: each claims its key for its position, `position` and
 * on. Returns how many, fewer than `count` when there is no more memory.
 */
export function claim(items: usize, count: u32, position: f64): u32 {
  prefetch(items, count)
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict == OPEN) {
      if ((<u64>used + 1) * 100 > <u64>capacity * fullest && !grow(position + <f64>i)) return i
      if (!claimKey(item, position + <f64>i)) return i
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
 * Looks at the home slots of all these items, and at the keys that may be theirs, so that their memory is on its way to
 * the cache, many at once, before `claimKey` waits for one after another.
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
 * Decides about the first `count` items that are still open as far as the table knows their keys; the others are
 * undecided, and nothing is entered.
 */
export function find(items: usize, count: u32, position: f64): void {
  prefetch(items, count)
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict == OPEN) {
      if (seek(item)) item.verdict = UNDECIDED
    } else if (item.verdict == KEPT) item.survivor = position + <f64>i
    countVerdict(item.verdict)
  }
}

function claimKey(item: Item, position: f64): bool {
  const slot = seek(item)
  return !slot || insert(slot, item, position)
}

/** Where the item's key is to be entered; 0, and the item has its verdict, when it is there already. */
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

/** Bytes of a key that a slot has room for. */
const SHORT_BYTES: u32 = 8
/** The last bits of an exact slot's second word: the length of a short key and 1, or this. */
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

/** The bytes of a short key, zeros behind them. */
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
  if (free == end) return grow(position) && claimKey(item, position)
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

/** For assertions: is this slot free, or not behind its order? */
@inline
function isInOrder(slot: usize): bool {
  if (ASC_NO_ASSERT || slot <= slots || !load<u32>(slot, 4)) return true
  const before = slot - slotBytes
  return !load<u32>(before, 4) || load<u32>(before) <= load<u32>(slot)
}

/** Place and length of a key that stays; 0 when there is no memory for it. */
function longKey(item: Item): u64 {
  const length = item.keyEnd - item.keyStart
  const place = keptKey(item.keyStart, length)
  return place ? (<u64>length << 32) | place : 0
}

/** Where the key stays; 0 when there is no memory for it. */
function keptKey(start: usize, length: u32): usize {
  if (start >= stableStart && start < stableEnd) return start
  if (!blockAt || <u64>blockEnd - blockAt < length) {
    // Blocks double, so that small work needs little.
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
  // 8 bytes may be read from any place.
  blockAt = min(blockEnd, (place + length + 7) & ~7)
  return place
}

/**
 * Half as much room again, or, when it is known how many items there will be, room for those that will be kept if it
 * goes on as in the `items` so far: seldom more of them, since what was kept comes again. False when there is no memory
 * for it.
 */
function grow(items: f64): bool {
  const oldSlots = slots, oldBytes = tableBytes(capacity)
  const expected = total && items > 0 ? <u64>((total / items) * <f64>used * (110 / <f64>fullest)) : 0
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

/** Slots that the limit leaves room for. */
function slotsWithin(): u64 {
  const room = limit > keyBytes ? (limit - keyBytes) / slotBytes : 0
  return room > OVERFLOW ? room - OVERFLOW : 0
}

/** Moves all slots in use to the end of the table, in their order; returns where they begin. */
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

/** Puts the slots from `from` on, in their order, each at its home or behind the one before. */
function spread(from: usize, end: usize): void {
  let free = slots
  for (; from < end; from += slotBytes) {
    const slot = max(free, homeOf(load<u32>(from)))
    // More neighbours than OVERFLOW would overwrite what is still to be moved.
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

/** Gives items verdicts that are known: of the item at each position the one that stands for it, 32 bits each. */
export function decide(items: usize, count: u32, position: u32, survivors: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    const survivor = load<u32>(survivors + (<usize>i << 2))
    item.verdict = survivor == position + i ? KEPT : REMOVED
    item.survivor = <f64>survivor
    countVerdict(item.verdict)
  }
}
