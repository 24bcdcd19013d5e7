import { classCount } from './classes'
import { lengthAt, lengthOf, rankCount, textOf } from './keys'
import { LONGEST_IN_LANES } from './lanes'
import { allocate } from './memory'
import { spend } from './pause'

/**
 * Compares one query with a group of kept keys of equal length, all at once.
 *
 * Distances of at most k are determined by the cells on k + 1 diagonals. Each key of a group has a lane of a 128-bit
 * vector, wide enough for these diagonals however long the keys are, and each character of the query moves the band one
 * step down: Myers' recurrence (1999) in its banded form (Hyyrö 2003). A group is two vectors, because the processor
 * overlaps the steps of two independent ones.
 *
 * Each step needs the window: which of the last characters up to some position of a kept key equal the query's
 * character. The windows of all lanes are side by side, one row per position with one entry per class, so that a single
 * load serves all of them. Rows are made when a query first gets that far, since most give up early.
 */
const GROUP_BYTES: u32 = 32

/** The characters of a group side by side, one row per position; positions beyond the end have no class. */
let characters: usize = 0
/** Rows of windows; the row before the first is all zeros. */
let windows: usize = 0
let rowBytes: usize = 0
let rowsMade: i32 = 0
let laneBytes: u32 = 0

/** Allocates room for groups of any keys that are not too long for lanes. */
export function prepareBand(): void {
  let longest = 0
  for (let rank: u32 = 0; rank < rankCount && lengthAt(rank) <= LONGEST_IN_LANES; rank++) longest = lengthAt(rank)
  rowBytes = <usize>classCount * GROUP_BYTES
  characters = allocate(<usize>(longest + 64) * GROUP_BYTES)
  windows = allocate(rowBytes * <usize>(longest + 66)) + rowBytes
}

/** Makes the `count` keys of length m listed at `ids` the current group, in lanes of this kind. */
export function openGroup(ids: usize, count: u32, m: i32, kind: u32): void {
  laneBytes = 1 << kind
  rowsMade = 0
  memory.fill(characters, 0xff, <usize>(m + <i32>laneBytes * 8) * GROUP_BYTES)
  for (let lane: u32 = 0; lane < count; lane++) {
    const text = textOf(load<u32>(ids + (lane << 2)))
    let at = characters + lane * laneBytes
    for (let i = 0; i < m; i++, at += GROUP_BYTES) {
      const c = load<u8>(text + i)
      if (laneBytes == 1) store<u8>(at, c)
      else if (laneBytes == 2) store<u16>(at, c)
      else if (laneBytes == 4) store<u32>(at, c)
      else store<u64>(at, c)
    }
  }
}

/** Which keys of the current group (length m) have a distance of at most k >= |m - n| from the query: one bit each. */
export function groupWithin(query: u32, m: i32, k: i32): u32 {
  const n = lengthOf(query)
  const text = textOf(query)
  if (laneBytes == 1) return within<i8>(text, n, m, k)
  if (laneBytes == 2) return within<i16>(text, n, m, k)
  if (laneBytes == 4) return within<i32>(text, n, m, k)
  return within<i64>(text, n, m, k)
}

function within<T>(text: usize, n: i32, m: i32, k: i32): u32 {
  const lanes: u32 = 16 / sizeof<T>()
  const all: u32 = (1 << lanes) - 1
  const highest: i32 = sizeof<T>() * 8 - 1
  const above = (k + m - n) >> 1 // diagonals of the band above the main one, in its highest bits
  const below = (k - m + n) >> 1
  const ones = i64x2.splat(-1)
  const last = v128.splat<T>(<T>((<i64>1) << (highest - below))) // the diagonal that ends in the last cell
  let upA = v128.splat<T>(<T>((<i64>-1) << (highest - above)))
  let upB = upA // cells one more than the cell above
  let downA = i64x2.splat(0)
  let downB = downA //                              cells one less than the cell above
  let leftA = v128.splat<T>(<T>(k - max(m - n, 0)))
  let leftB = leftA // edits still allowed on that diagonal
  const safe = k - max(m - n, 0) // that many characters cannot use them up
  let row = windows + <usize>above * rowBytes
  while (rowsMade < above) makeRow<T>()
  let j = 0
  while (j < n) {
    if (rowsMade <= j + above) makeRow<T>()
    const at = row + <usize>load<u8>(text + j) * GROUP_BYTES
    const sameA = v128.load(at)
    const sameB = v128.load(at, 16)
    const diagonalA = diagonal<T>(sameA, upA, downA)
    const diagonalB = diagonal<T>(sameB, upB, downB)
    const rightA = v128.or(downA, nor(diagonalA, upA, ones))
    const rightB = v128.or(downB, nor(diagonalB, upB, ones))
    const nextA = halved<T>(diagonalA)
    const nextB = halved<T>(diagonalB)
    upA = v128.or(v128.and(diagonalA, upA), nor(nextA, rightA, ones))
    upB = v128.or(v128.and(diagonalB, upB), nor(nextB, rightB, ones))
    downA = v128.and(nextA, rightA)
    downB = v128.and(nextB, rightB)
    leftA = lessWhereZero<T>(leftA, v128.and(diagonalA, last))
    leftB = lessWhereZero<T>(leftB, v128.and(diagonalB, last))
    row += rowBytes
    j++
    if (j > safe && v128.bitmask<T>(v128.and(leftA, leftB)) == all) return given(j, 0)
  }
  return given(j, (~v128.bitmask<T>(leftA) & all) | ((~v128.bitmask<T>(leftB) & all) << lanes))
}

@inline
function given(columns: i32, hits: u32): u32 {
  spend(columns << 2)
  return hits
}

/** Cells equal to their upper left neighbour. */
@inline
function diagonal<T>(same: v128, up: v128, down: v128): v128 {
  return v128.or(v128.or(v128.xor(v128.add<T>(v128.and(same, up), up), up), same), down)
}

@inline
function nor(a: v128, b: v128, ones: v128): v128 {
  return v128.xor(v128.or(a, b), ones)
}

@inline
function halved<T>(lanes: v128): v128 {
  if (sizeof<T>() == 1) return v128.and(i16x8.shr_u(lanes, 1), i8x16.splat(0x7f))
  if (sizeof<T>() == 2) return i16x8.shr_u(lanes, 1)
  if (sizeof<T>() == 4) return i32x4.shr_u(lanes, 1)
  return i64x2.shr_u(lanes, 1)
}

/** Subtracts one in every lane without a bit. Narrow lanes saturate at their minimum, since keys may be long. */
@inline
function lessWhereZero<T>(left: v128, bits: v128): v128 {
  const minusOne = v128.eq<T>(bits, i64x2.splat(0))
  if (sizeof<T>() <= 2) return v128.add_sat<T>(left, minusOne)
  return v128.add<T>(left, minusOne)
}

/** The next row of windows: the previous row shifted by one, with the characters of one more position. */
function makeRow<T>(): void {
  const top = v128.splat<T>(<T>((<i64>1) << (sizeof<T>() * 8 - 1)))
  const one = v128.splat<T>(<T>1)
  const here = characters + <usize>rowsMade * GROUP_BYTES
  const hereA = v128.load(here)
  const hereB = v128.load(here, 16)
  let row = windows + <usize>rowsMade * rowBytes
  let c = i64x2.splat(0)
  for (const end = row + rowBytes; row < end; row += GROUP_BYTES) {
    const before = row - rowBytes
    v128.store(row, v128.or(halved<T>(v128.load(before)), v128.and(v128.eq<T>(hereA, c), top)))
    v128.store(row, v128.or(halved<T>(v128.load(before, 16)), v128.and(v128.eq<T>(hereB, c), top)), 16)
    c = v128.add<T>(c, one)
  }
  rowsMade++
}
