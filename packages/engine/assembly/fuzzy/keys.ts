import { allocate, u32At, setU32 } from './memory'

/**
 * The distinct keys of the request, none of them empty. A key is a text of character classes (a byte each, at
 * most 64 of them); `points` holds its code points too when several of these share a class, and is 0 otherwise.
 * Lengths are known by their rank among the lengths that occur, so no table grows with the longest key.
 */
export let keyCount: u32 = 0
export let rankCount: u32 = 0
export let classCount: u32 = 0
export let seed: u32 = 0

let classes: usize = 0
let starts: usize = 0
let ranks: usize = 0
let points: usize = 0
let lengths: usize = 0
let allowances: usize = 0
let shortest: usize = 0
let longest: usize = 0
let populations: usize = 0

/** Where the host has put the request: see the accessors for what each table holds. */
export function takeRequest(
  keyCount_: u32, starts_: usize, ranks_: usize, classes_: usize, classCount_: u32, points_: usize,
  rankCount_: u32, lengths_: usize, allowances_: usize, seed_: u32,
): void {
  keyCount = keyCount_; starts = starts_; ranks = ranks_
  classes = classes_; classCount = classCount_; points = points_
  rankCount = rankCount_; lengths = lengths_; allowances = allowances_
  seed = seed_
  meetLengths()
  populations = allocate(rankCount << 2)
  for (let key: u32 = 0; key < keyCount; key++) setU32(populations, rankOf(key), population(rankOf(key)) + 1)
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
  return points + (<usize>u32At(starts, key) << 2)
}

@inline
export function classesAreShared(): bool {
  return points != 0
}

@inline
export function rankOf(key: u32): u32 {
  return u32At(ranks, key)
}

/** How many keys of the request have the length of this rank. */
@inline
export function population(rank: u32): u32 {
  return u32At(populations, rank)
}

@inline
export function lengthAt(rank: u32): i32 {
  return <i32>u32At(lengths, rank)
}

/** The largest distance of duplicates with lengths of these ranks: the longer one decides. */
@inline
export function allowedBetween(a: u32, b: u32): i32 {
  return <i32>u32At(allowances, max(a, b))
}

/** The ranks of the shortest and the longest key that one of this rank can be a duplicate of. */
@inline
export function shortestFor(rank: u32): u32 {
  return u32At(shortest, rank)
}

@inline
export function longestFor(rank: u32): u32 {
  return u32At(longest, rank)
}

/** The largest distance that any duplicate of a key of this rank can have. */
@inline
export function mostAllowed(rank: u32): i32 {
  return <i32>u32At(allowances, longestFor(rank))
}

/**
 * The length bound: every insertion or deletion changes the length by one, so the lengths' difference never
 * exceeds the distance. What is allowed grows with the length, by at most one a step, so partners are a range.
 */
function meetLengths(): void {
  shortest = allocate(rankCount << 2)
  longest = allocate(rankCount << 2)
  let low: u32 = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) {
    while (lengthAt(rank) - lengthAt(low) > allowedBetween(low, rank)) low++
    setU32(shortest, rank, low)
    for (let partner = low; partner <= rank; partner++) setU32(longest, partner, rank)
  }
}
