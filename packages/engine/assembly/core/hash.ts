import { Item, itemAt, OPEN } from './item'

/**
 * The 128-bit hash of a key: four independent lanes of Multilinear-HM, a strongly universal family
 * (Lemire and Kaser, "Strongly universal string hashing is fast", The Computer Journal 2014).
 *
 * A lane of a block of 32-bit words s1, s2, … with random 64-bit words m0, m1, … is
 *   m0 + m1 · length + Σ (m2i + s2i-1) · (m2i+1 + s2i)   mod 2^64,
 * of which the upper 32 bits are used. Two different blocks, even if chosen by an attacker, collide in one lane with
 * probability 2^-32, as long as the words m are random and secret; in all four lanes with 2^-128.
 *
 * A key longer than a block becomes the list of its blocks' hashes, which is hashed again with the random words of the
 * next level, until a single block is left.
 */
export const BLOCK_BYTES: u32 = 1024

const HASH_BYTES: u32 = 16
/** 64 bytes of m0 and m1 for four lanes, then 64 bytes for each 8 bytes of a block. */
const LEVEL_BYTES: u32 = 64 + BLOCK_BYTES * 8
/** 1 KB, 64 KB, 4 MB, 256 MB, and more than fits in memory. */
const LEVELS: u32 = 5
export const SEED_BYTES: u32 = LEVEL_BYTES * LEVELS

/** Hashes `length` bytes at `at` to the 16 bytes at `out`. `blocks` has room for a 64th of the key plus a block. */
function hashKey(at: usize, length: u32, seed: usize, blocks: usize, out: usize): void {
  while (length > BLOCK_BYTES) {
    let to = blocks
    // In place on the upper levels: sixteen bytes are written after 1,024 have been read.
    for (let done: u32 = 0; done < length; done += BLOCK_BYTES, to += HASH_BYTES) {
      hashBlock(at + done, min(BLOCK_BYTES, length - done), seed, to)
    }
    at = blocks
    length = <u32>(to - blocks)
    seed += LEVEL_BYTES
  }
  hashBlock(at, length, seed, out)
}

@inline
function hashBlock(at: usize, length: u32, seed: usize, out: usize): void {
  let a = load<u64>(seed, 0) + load<u64>(seed, 32) * length
  let b = load<u64>(seed, 8) + load<u64>(seed, 40) * length
  let c = load<u64>(seed, 16) + load<u64>(seed, 48) * length
  let d = load<u64>(seed, 24) + load<u64>(seed, 56) * length
  let random = seed + 64
  for (const end = at + (length & ~7); at < end; at += 8, random += 64) {
    const first = <u64>load<u32>(at)
    const second = <u64>load<u32>(at, 4)
    a += (load<u64>(random, 0) + first) * (load<u64>(random, 32) + second)
    b += (load<u64>(random, 8) + first) * (load<u64>(random, 40) + second)
    c += (load<u64>(random, 16) + first) * (load<u64>(random, 48) + second)
    d += (load<u64>(random, 24) + first) * (load<u64>(random, 56) + second)
  }
  const rest = length & 7
  if (rest) {
    const word = load<u64>(at) & (~(<u64>0) >> (64 - (rest << 3)))
    const first = word & 0xffffffff
    const second = word >> 32
    a += (load<u64>(random, 0) + first) * (load<u64>(random, 32) + second)
    b += (load<u64>(random, 8) + first) * (load<u64>(random, 40) + second)
    c += (load<u64>(random, 16) + first) * (load<u64>(random, 48) + second)
    d += (load<u64>(random, 24) + first) * (load<u64>(random, 56) + second)
  }
  store<u32>(out, <u32>(a >> 32), 0)
  store<u32>(out, <u32>(b >> 32), 4)
  store<u32>(out, <u32>(c >> 32), 8)
  store<u32>(out, <u32>(d >> 32), 12)
}

/**
 * Hashes the keys of all open items among the first `count`. `isShort`: 64 bits are enough, for a table that compares
 * the keys themselves.
 */
export function hashKeys(items: usize, count: u32, seed: usize, blocks: usize, isShort: bool): void {
  for (let i: u32 = 0; i < count; i++) {
    const item = itemAt(items, i)
    if (item.verdict != OPEN) continue
    const at: usize = item.keyStart
    const length = item.keyEnd - item.keyStart
    assert(item.keyStart <= item.keyEnd)
    const out = changetype<usize>(item) + offsetof<Item>('hash0')
    if (isShort && length <= BLOCK_BYTES) store<u64>(out, shortHash(at, length, seed))
    else hashKey(at, length, seed, blocks, out)
  }
}

/**
 * NH, vectorised (Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: Fast and secure message authentication", Crypto
 * 1999): for each 16 bytes s0 … s3 and random words k0 … k3
 *   (s0 + k0 mod 2^32) · (s2 + k2 mod 2^32) + (s1 + k1 mod 2^32) · (s3 + k3 mod 2^32),
 * summed, plus m0 + m1 · length. Two keys collide with probability 2^-32. The steps after the sum are one-to-one and
 * spread it over all bits.
 */
@inline
function shortHash(at: usize, length: u32, seed: usize): u64 {
  let sums = i64x2.splat(0)
  let random = seed + 64
  for (const end = at + (length & ~15); at < end; at += 16, random += 16) {
    sums = i64x2.add(sums, products(v128.load(at), random))
  }
  const rest = length & 15
  if (rest) sums = i64x2.add(sums, products(v128.and(v128.load(at), v128.load(FIRST_BYTES + 16 - rest)), random))
  const sum = i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1)
  return spread(<u64>sum + load<u64>(seed) + load<u64>(seed, 32) * length)
}

@inline
function products(block: v128, random: usize): v128 {
  const terms = i32x4.add(block, v128.load(random))
  return i64x2.extmul_low_i32x4_u(
    terms,
    i8x16.shuffle(terms, terms, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7),
  )
}

/** At `16 - n`: a vector whose first n bytes have all bits set. */
const FIRST_BYTES: usize = memory.data<i8>([
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
])

/** Each step is invertible (Stafford's variant 13 of MurmurHash3's finalizer). */
@inline
function spread(sum: u64): u64 {
  sum = (sum ^ (sum >> 30)) * 0xbf58476d1ce4e5b9
  sum = (sum ^ (sum >> 27)) * 0x94d049bb133111eb
  return sum ^ (sum >> 31)
}
