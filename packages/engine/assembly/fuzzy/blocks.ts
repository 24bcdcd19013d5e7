import { classCount } from './classes'
import { lengthOf, textOf } from './keys'
import { allocate } from './memory'
import { spend } from './pause'

/**
 * Compares one pair of keys of any length: Myers' recurrence (1999) in blocks of 64 rows (Hyyrö 2003), where each
 * column visits only the blocks on diagonals within a distance of k (Ukkonen 1985). Cells outside count as one more
 * than their neighbour inside, which no path can improve on, so distances up to k are exact.
 */
const NONE: u32 = 0xffffffff
const COLUMNS_BETWEEN_SPENDS: i32 = 256

let table: usize = 0 // for each class a row of words: where in the pattern the class occurs
let columns: usize = 0 // for each block: which cells are one more, and one less, than the cell above
let pattern: u32 = NONE
let words: u32 = 0

export function prepareBlocks(longest: i32): void {
  const most = <usize>(longest + 63) >> 6
  table = allocate((most * <usize>classCount) << 3)
  columns = allocate(most << 4)
}

function openPattern(key: u32): void {
  if (key == pattern) return
  pattern = key
  const length = lengthOf(key)
  const text = textOf(key)
  words = <u32>(length + 63) >> 6
  memory.fill(table, 0, (<usize>(words * classCount)) << 3)
  for (let i = 0; i < length; i++) {
    const at = table + ((<usize>(<u32>load<u8>(text + i) * words + (i >> 6))) << 3)
    store<u64>(at, load<u64>(at) | ((<u64>1) << (i & 63)))
  }
}

/** Whether two keys have a distance of at most k >= |m - n|. Cheaper if the first key is the same as last time. */
export function blocksWithin(kept: u32, key: u32, k: i32): bool {
  openPattern(kept)
  const m = lengthOf(kept)
  const n = lengthOf(key)
  const text = textOf(key)
  const above = (k + m - n) >> 1
  const below = (k - m + n) >> 1
  let score = max(m - n, 0)
  let made = 0
  let unpaid = 0
  for (let j = 0; j < n && score <= k; j++) {
    const first = max(j - below, 0) >> 6
    const last = min(j + above, m - 1) >> 6
    for (; made <= last; made++) {
      store<u64>(columns + (made << 4), -1)
      store<u64>(columns + (made << 4), 0, 8)
    }
    const row = j + m - n
    const missed = stepColumn(table + ((<usize>(<u32>load<u8>(text + j) * words)) << 3), first, last, row)
    score += row < 0 ? 1 : missed
    unpaid += last - first + 2
    if (unpaid > COLUMNS_BETWEEN_SPENDS) {
      spend(unpaid)
      unpaid = 0
    }
  }
  spend(unpaid)
  return score <= k
}

/** One column of blocks; returns 1 if its cell in `row` differs from its upper left neighbour. */
@inline
function stepColumn(rowOfClass: usize, first: i32, last: i32, row: i32): i32 {
  let rightIn: u64 = 1
  let leftIn: u64 = 0
  let missed = 0
  const ours = row >> 6
  for (let block = first; block <= last; block++) {
    const at = columns + ((<usize>block) << 4)
    const up = load<u64>(at)
    const down = load<u64>(at, 8)
    const same = load<u64>(rowOfClass + ((<usize>block) << 3)) | leftIn
    const diagonal = (((same & up) + up) ^ up) | same | down
    let right = down | ~(diagonal | up)
    let left = diagonal & up
    const rightOut = right >> 63
    const leftOut = left >> 63
    right = (right << 1) | rightIn
    left = (left << 1) | leftIn
    store<u64>(at, left | ~(diagonal | right))
    store<u64>(at, right & diagonal, 8)
    rightIn = rightOut
    leftIn = leftOut
    if (block == ours) missed = <i32>((~diagonal >> (row & 63)) & 1)
  }
  return missed
}
