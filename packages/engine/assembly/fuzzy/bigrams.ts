import { seed } from './keys'
import { allocate, setU32, u32At } from './memory'

/**
 * The bigram bound (the q-gram lemma: Ukkonen 1992, q = 2): one edit removes at most two bigrams that the other key
 * lacks, so the number of bigrams of one key missing in the other, counted with repetition, is at most twice the
 * distance. The n-th occurrence of a bigram counts as a separate element, and each element sets one bit of a sketch: a
 * bit that only one sketch has represents an element that only one key has, so collisions can only lower the bound.
 */
const PAIRS: u32 = 64 * 64
const SMALLEST_SKETCH_BITS: u32 = 256
export const LARGEST_SKETCH_BITS: u32 = 8192

let occurrences: usize = 0

/** Whether keys of this length can have more missing bigrams than the allowed distance explains. */
export function canTellApart(length: i32, allowed: i32): bool {
  return 2 * allowed < length - 1
}

/** Bits in a sketch for keys of about this length: five per character make collisions rare. */
export function sketchBits(length: i32): u32 {
  let bits = SMALLEST_SKETCH_BITS
  while (bits < LARGEST_SKETCH_BITS && bits < <u32>length * 5) bits <<= 1
  return bits
}

export function drawSketch(text: usize, length: i32, bits: u32, sketch: usize): void {
  if (!occurrences) occurrences = allocate(PAIRS << 2)
  memory.fill(sketch, 0, bits >> 3)
  for (let i = 1; i < length; i++) {
    const pair = pairAt(text, i)
    const occurrence = u32At(occurrences, pair)
    setU32(occurrences, pair, occurrence + 1)
    const bit = hashed(pair, occurrence) & (bits - 1)
    const at = sketch + (bit >> 3)
    store<u8>(at, load<u8>(at) | ((<u8>1) << (<u8>(bit & 7))))
  }
  for (let i = 1; i < length; i++) setU32(occurrences, pairAt(text, i), 0)
}

/** The bits that `a` has and `b` lacks: at most twice the distance of the two keys. */
@inline
export function bigramsApart(a: usize, b: usize, bits: u32): i32 {
  let apart: i64 = 0
  for (let at: usize = 0; at < <usize>(bits >> 3); at += 32) {
    apart += popcnt(load<i64>(a + at) & ~load<i64>(b + at))
    apart += popcnt(load<i64>(a + at, 8) & ~load<i64>(b + at, 8))
    apart += popcnt(load<i64>(a + at, 16) & ~load<i64>(b + at, 16))
    apart += popcnt(load<i64>(a + at, 24) & ~load<i64>(b + at, 24))
  }
  return <i32>apart
}

@inline
function pairAt(text: usize, i: i32): u32 {
  return ((<u32>load<u8>(text + i - 1)) << 6) | <u32>load<u8>(text + i)
}

@inline
function hashed(pair: u32, occurrence: u32): u32 {
  let hash = ((pair + 1) * 0x9e3779b1) ^ ((occurrence + 1) * 0x85ebca6b) ^ seed
  hash = (hash ^ (hash >> 15)) * 0xc2b2ae35
  return hash ^ (hash >> 16)
}
