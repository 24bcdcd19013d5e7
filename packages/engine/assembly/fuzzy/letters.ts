import { allocate } from './memory'

/**
 * The letter bound (Ukkonen 1992 with q = 1): one edit removes at most one letter that the other key lacks, so the
 * number of letters of one key missing in the other, counted with repetition, never exceeds the distance. Letters are
 * mapped to 32 groups and counts are capped at 255; both can only lower the bound.
 *
 * Kept keys are in blocks of 32: one row per group of letters, with one count per key, so that a query is compared with
 * a whole block at once, and only for the letters that it has.
 */
export const BLOCK_KEYS: u32 = 32
const GROUPS: u32 = 32
const BLOCK_BYTES: u32 = GROUPS * BLOCK_KEYS
/** The letters of a query: the number of bytes that follow, then a group and its count for each group that it has. */
export const LIST_BYTES: u32 = 2 + 2 * GROUPS

/** Allocates the blocks for this many keys. */
export function allocateBlocks(keys: u32): usize {
  return allocate(<usize>(((keys + BLOCK_KEYS - 1) / BLOCK_KEYS) * BLOCK_BYTES))
}

/** The block of the key at this position. */
@inline
export function blockAt(blocks: usize, position: u32): usize {
  return blocks + <usize>((position / BLOCK_KEYS) * BLOCK_BYTES)
}

let counts: usize = 0

function countLetters(text: usize, length: i32): void {
  if (!counts) counts = allocate(GROUPS)
  memory.fill(counts, 0, GROUPS)
  for (let i = 0; i < length; i++) {
    const at = counts + (load<u8>(text + i) & (GROUPS - 1))
    const count = load<u8>(at)
    if (count < 255) store<u8>(at, count + 1)
  }
}

export function listLetters(text: usize, length: i32, list: usize): void {
  countLetters(text, length)
  let at = list + 2
  for (let group: u32 = 0; group < GROUPS; group++) {
    const count = load<u8>(counts + group)
    if (!count) continue
    store<u8>(at, <u8>group)
    store<u8>(at, count, 1)
    at += 2
  }
  store<u16>(list, <u16>(at - list - 2))
}

/** Stores a key at its position, overwriting what was there. */
export function putLetters(text: usize, length: i32, blocks: usize, position: u32): void {
  countLetters(text, length)
  const block = blockAt(blocks, position)
  const lane = position % BLOCK_KEYS
  for (let group: u32 = 0; group < GROUPS; group++) {
    store<u8>(block + group * BLOCK_KEYS + lane, load<u8>(counts + group))
  }
}

/** Which keys of a block lack at most this many letters of the query: one bit each. */
export function lackingAtMost(most: i32, list: usize, block: usize): u32 {
  let lackingA = i64x2.splat(0)
  let lackingB = i64x2.splat(0)
  const end = list + 2 + load<u16>(list)
  for (let at = list + 2; at < end; at += 2) {
    const row = block + <usize>(<u32>load<u8>(at) * BLOCK_KEYS)
    const wanted = v128.load_splat<u8>(at, 1)
    lackingA = v128.add_sat<u8>(lackingA, v128.sub_sat<u8>(wanted, v128.load(row)))
    lackingB = v128.add_sat<u8>(lackingB, v128.sub_sat<u8>(wanted, v128.load(row, 16)))
  }
  const limit = v128.splat<u8>(<u8>min(most, 255))
  return (
    v128.bitmask<u8>(v128.eq<u8>(v128.min<u8>(lackingA, limit), lackingA)) |
    (v128.bitmask<u8>(v128.eq<u8>(v128.min<u8>(lackingB, limit), lackingB)) << 16)
  )
}
