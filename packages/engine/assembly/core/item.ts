import { isGiven } from './memory'

/** One item of the input: where its bytes, its break and its key are, and what is known about it. */
@unmanaged
export class Item {
  start: u32
  end: u32
  /** Its break: from here to `next`; empty at the end of a file without one. */
  lineBreak: u32
  next: u32
  keyStart: u32
  keyEnd: u32
  hash0: u32
  hash1: u32
  hash2: u32
  hash3: u32
  /** UNUSUAL and NEEDS_TEXT, as bits. */
  flags: u32
  /** OPEN, KEPT, REMOVED, DISCARDED or UNDECIDED. */
  verdict: u32
  /** Position of its survivor. */
  survivor: f64
}

/** A row that `writeRow` would write differently. */
export const UNUSUAL: u32 = 1
/**
 * Its key cannot be lower-cased here: `hash0` is an address with room for twice its length, where the host puts the
 * lower-case form.
 */
export const NEEDS_TEXT: u32 = 2

export const OPEN: u32 = 0
export const KEPT: u32 = 1
export const REMOVED: u32 = 2
/** Neither kept nor removed. */
export const DISCARDED: u32 = 3
/** The table does not contain its key and has no room for it. */
export const UNDECIDED: u32 = 4

@inline
export function itemAt(items: usize, index: u32): Item {
  return changetype<Item>(items + <usize>index * offsetof<Item>())
}

@inline
export function setItem(item: Item, start: usize, end: usize, next: usize): void {
  assert(start <= end && end <= next && isGiven(start, next - start))
  item.start = <u32>start
  item.end = <u32>end
  item.lineBreak = <u32>end
  item.next = <u32>next
  item.keyStart = <u32>start
  item.keyEnd = <u32>end
  item.flags = 0
  item.verdict = OPEN
}

/*
 * A list that has been read once need not be scanned again: the ends of its entries are stored, relative to the start
 * of the text, together with whether an entry is UNUSUAL: a row because of its quotes, an item if it is not in
 * canonical form.
 */
@inline
export function noteEnd(ends: usize, index: u32, end: usize, isUnusual: u32): void {
  assert(isGiven(ends + ((<usize>index) << 2), 4))
  store<u32>(ends + ((<usize>index) << 2), ((<u32>end) << 1) | isUnusual)
}

@inline
export function endAt(ends: usize, index: u32): usize {
  return load<u32>(ends + ((<usize>index) << 2)) >> 1
}

@inline
export function isUnusualAt(ends: usize, index: u32): u32 {
  return load<u32>(ends + ((<usize>index) << 2)) & 1
}

/** Counts over all items since `openTable`: items that have the compared part, and items whose key is empty. */
export let withKey: f64 = 0
export let emptyKeys: f64 = 0

@inline
export function countKey(hasKey: bool, isEmpty: bool): void {
  if (hasKey) withKey += 1
  if (isEmpty) emptyKeys += 1
}

export function clearCounts(): void {
  withKey = emptyKeys = 0
}
