import { allowedDistance } from './allowance'
import { classify } from './classes'
import { allocate, setU32, u32At } from './memory'

/**
 * The distinct keys of the request: key i has the code points from `starts[i]` to `starts[i + 1]`, and the classes in
 * the same range. Lengths are represented by their rank among the lengths that occur, so that no table grows with the
 * longest key.
 */
export let keyCount: u32 = 0
export let rankCount: u32 = 0
export let seed: u32 = 0

let starts: usize = 0
let points: usize = 0
let classes: usize = 0
let ranks: usize = 0
let lengths: usize = 0
let populations: usize = 0
let allowances: usize = 0
let shortest: usize = 0
let longest: usize = 0

/** The host has written 32-bit starts and code points to these addresses. */
export function takeRequest(keyCount_: u32, starts_: usize, points_: usize, threshold: f64, seed_: u32): void {
  keyCount = keyCount_
  starts = starts_
  points = points_
  seed = seed_
  const total = u32At(starts, keyCount)
  classes = allocate(total)
  classify(points, total, classes)
  rankLengths()
  allowances = allocate((<usize>rankCount) << 2)
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    setU32(allowances, rank, allowedDistance(lengthAt(rank), threshold))
  }
  meetLengths()
}

/** A set of the lengths, one bit each: the rank of a length is the number of smaller ones in the set. */
function rankLengths(): void {
  let highest: u32 = 0
  for (let key: u32 = 0; key < keyCount; key++) highest = max(highest, lengthOf(key))
  const words = (highest >> 6) + 1
  const bits = allocate((<usize>words) << 3)
  const before = allocate((<usize>words) << 2)
  for (let key: u32 = 0; key < keyCount; key++) {
    const length = lengthOf(key)
    const word = bits + ((<usize>(length >> 6)) << 3)
    store<u64>(word, load<u64>(word) | ((<u64>1) << (length & 63)))
  }
  rankCount = 0
  for (let word: u32 = 0; word < words; word++) {
    setU32(before, word, rankCount)
    rankCount += <u32>popcnt(load<u64>(bits + ((<usize>word) << 3)))
  }
  ranks = allocate((<usize>keyCount) << 2)
  lengths = allocate((<usize>rankCount) << 2)
  populations = allocate((<usize>rankCount) << 2)
  for (let key: u32 = 0; key < keyCount; key++) {
    const length = lengthOf(key)
    const word = <u32>length >> 6
    const smaller = load<u64>(bits + ((<usize>word) << 3)) & (((<u64>1) << (length & 63)) - 1)
    const rank = u32At(before, word) + <u32>popcnt(smaller)
    setU32(ranks, key, rank)
    setU32(lengths, rank, length)
    setU32(populations, rank, population(rank) + 1)
  }
}

@inline
export function lengthOf(key: u32): i32 {
  return <i32>(u32At(starts, key + 1) - u32At(starts, key))
}

@inline
export function textOf(key: u32): usize {
  return classes + u32At(starts, key)
}

@inline
export function pointsOf(key: u32): usize {
  return points + ((<usize>u32At(starts, key)) << 2)
}

@inline
export function rankOf(key: u32): u32 {
  return u32At(ranks, key)
}

/** The number of keys whose length has this rank. */
@inline
export function population(rank: u32): u32 {
  return u32At(populations, rank)
}

@inline
export function lengthAt(rank: u32): i32 {
  return <i32>u32At(lengths, rank)
}

/** The largest distance between duplicates with lengths of these ranks; the longer one decides. */
@inline
export function allowedBetween(a: u32, b: u32): i32 {
  return <i32>u32At(allowances, max(a, b))
}

/** The ranks of the shortest and the longest possible duplicates of a key of this rank. */
@inline
export function shortestFor(rank: u32): u32 {
  return u32At(shortest, rank)
}

@inline
export function longestFor(rank: u32): u32 {
  return u32At(longest, rank)
}

/** The largest distance between a key of this rank and any duplicate. */
@inline
export function mostAllowed(rank: u32): i32 {
  return <i32>u32At(allowances, longestFor(rank))
}

/**
 * The length bound: every insertion or deletion changes the length by one, so the difference of the lengths never
 * exceeds the distance. The allowed distance grows with the length, by at most one per step, so possible partners form
 * a range.
 */
function meetLengths(): void {
  shortest = allocate((<usize>rankCount) << 2)
  longest = allocate((<usize>rankCount) << 2)
  let low: u32 = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    while (lengthAt(rank) - lengthAt(low) > allowedBetween(low, rank)) low++
    setU32(shortest, rank, low)
    for (let partner = low; partner <= rank; partner++) setU32(longest, partner, rank)
  }
}
