import { blocksWithin } from './blocks'
import { lengthOf, textOf } from './keys'
import { spend } from './pause'

/** Number of pairs that were compared because no bound could rule them out. */
let compared: u32 = 0

export function pairsCompared(): u32 {
  return compared
}

export function countPairs(more: u32): void {
  compared += more
}

/**
 * Whether two keys have a distance of at most k >= |m - n|, without any preparation.
 *
 * Distances of at most k are determined by the cells on k + 1 diagonals. Up to 64 of them are the bits of one word,
 * which moves one row down with each character of the query: Myers' recurrence (1999) in its banded form (Hyyrö 2003).
 * Which characters of the key next to the band equal the query's is found by comparing 16 of them at once.
 */
export function pairWithin(query: u32, key: u32, k: i32): bool {
  countPairs(1)
  const n = lengthOf(query)
  const m = lengthOf(key)
  const above = (k + m - n) >> 1 // diagonals of the band above the main one, in its highest bits
  const below = (k - m + n) >> 1
  const diagonals = above + below + 1
  if (diagonals <= 16) return within<u16>(textOf(query), n, textOf(key), m, k, above, below)
  if (diagonals <= 32) return within<u32>(textOf(query), n, textOf(key), m, k, above, below)
  if (diagonals <= 64) return within<u64>(textOf(query), n, textOf(key), m, k, above, below)
  return blocksWithin(key, query, k)
}

function within<T>(query: usize, n: i32, key: usize, m: i32, k: i32, above: i32, below: i32): bool {
  let up: u64 = (<u64>-1) << (63 - above) // cells one more than the cell above
  let down: u64 = 0 //                     cells one less than the cell above
  let real: i64 = up // diagonals that have reached the first row
  let left = k - max(m - n, 0) // edits still allowed on the diagonal that ends in the last cell
  let window = key + above + 1 - sizeof<T>() * 8
  for (let j = 0; j < n; j++, window++) {
    const same = equalIn<T>(window, query + j) & real
    const diagonal = (((same & up) + up) ^ up) | same | down
    const right = down | ~(diagonal | up)
    const next = diagonal >> 1
    up = (diagonal & up) | ~(next | right)
    down = next & right
    real >>= 1
    left -= <i32>((~diagonal >> (63 - below)) & 1)
    if (left < 0) {
      spend(j)
      return false
    }
  }
  spend(n)
  return true
}

/** Which of the characters from `window` on equal the one at `character`: in the highest bits, the last one first. */
@inline
function equalIn<T>(window: usize, character: usize): u64 {
  const c = v128.load_splat<u8>(character)
  let bits: u64 = equal16(window, c)
  if (sizeof<T>() == 2) return bits << 48
  bits |= equal16(window + 16, c) << 16
  if (sizeof<T>() == 4) return bits << 32
  return bits | (equal16(window + 32, c) << 32) | (equal16(window + 48, c) << 48)
}

@inline
function equal16(at: usize, c: v128): u64 {
  return v128.bitmask<u8>(v128.eq<u8>(v128.load(at), c))
}
