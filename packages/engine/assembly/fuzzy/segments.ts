import {
  allowedBetween,
  keyCount,
  lengthAt,
  lengthOf,
  mostAllowed,
  population,
  rankCount,
  rankOf,
  seed,
  textOf,
} from './keys'
import { allocate, setU32, u32At } from './memory'

/**
 * The segment bound (Pass-Join: Li, Deng, Wang, Feng 2011): a kept key is cut into k + 1 segments; k edits leave at
 * least one of them intact, and the query contains it at nearly the same place. How far it can have moved follows from
 * the edits before and after it (their multi-match-aware selection). So a few substrings of the query are looked up by
 * hash, which gives candidates; different segments may share a hash, which only costs time.
 */
const LONGEST_INDEXED: i32 = 1024
const SHORTEST_SEGMENT: i32 = 2
const MAX_LISTS: u32 = 4096
/** Costs relative to scanning one key: of a look-up, and of a candidate with its verification. */
const LOOK_UP_COST: u32 = 20
const CANDIDATE_COST: u32 = 160

/** An entry of the table: all occurrences of segments with this hash. */
@unmanaged
class Entry {
  hash: u32
  firstPosting: u32
  postings: u32
}
const ENTRY_BYTES: usize = 12

let table: usize = 0
let mask: u32 = 0
let postingKeys: usize = 0
let postingNext: usize = 0
let postings: u32 = 0
let multiplier: u32 = 0
let prefixes: usize = 0 // rolling hashes of one key's prefixes
let powers: usize = 0
let hashedKey: u32 = 0xffffffff
let lists: usize = 0
let listCount: u32 = 0

/** A table of fixed size: the maximum number of segments is known in advance. */
export function prepareSegments(): void {
  let most: u32 = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) if (isIndexed(rank)) most += population(rank) * segmentCount(rank)
  let size: u32 = 64
  while (size < most + (most >> 1)) size <<= 1
  mask = size - 1
  table = allocate(<usize>size * ENTRY_BYTES)
  postingKeys = allocate((<usize>(most + 1)) << 2)
  postingNext = allocate((<usize>(most + 1)) << 2)
  prefixes = allocate((LONGEST_INDEXED * 2 + 1) << 2)
  powers = allocate((LONGEST_INDEXED + 1) << 2)
  lists = allocate(MAX_LISTS << 2)
  multiplier = (seed << 1) | 1
  multiplier = (multiplier * 0x9e3779b1) ^ 0x2f0b4c46
  setU32(powers, 0, 1)
  for (let i: u32 = 1; i <= <u32>LONGEST_INDEXED; i++) setU32(powers, i, u32At(powers, i - 1) * multiplier)
}

@inline
function segmentCount(rank: u32): u32 {
  return <u32>mostAllowed(rank) + 1
}

@inline
export function isIndexed(rank: u32): bool {
  const length = lengthAt(rank)
  return length <= LONGEST_INDEXED && length >= SHORTEST_SEGMENT * <i32>segmentCount(rank)
}

export function indexKey(key: u32): void {
  const rank = rankOf(key)
  if (!isIndexed(rank)) return
  hashPrefixes(key)
  const count = <i32>segmentCount(rank)
  let start = 0
  for (let segment = 0; segment < count; segment++) {
    const length = segmentLength(rank, count, segment)
    const hash = segmentHash(start, length, rank, segment)
    const entry = find(hash)
    entry.hash = hash
    entry.postings++
    setU32(postingKeys, ++postings, key)
    setU32(postingNext, postings, entry.firstPosting)
    entry.firstPosting = postings
    start += length
  }
}

/** All segments are equally long, except that the last ones are one longer if the division leaves a remainder. */
@inline
function segmentLength(rank: u32, count: i32, segment: i32): i32 {
  const length = lengthAt(rank)
  const even = length / count
  return even + i32(segment >= count - (length - even * count))
}

/** Where a segment of a kept key can be in a query after at most k edits that lengthen it by `shift`. */
@inline
function earliest(start: i32, segment: i32, k: i32, shift: i32): i32 {
  return max(0, start + max(max(-segment, shift - (k - segment)), -((k - shift) >> 1)))
}

@inline
function latest(start: i32, segment: i32, k: i32, shift: i32): i32 {
  return start + min(min(segment, shift + (k - segment)), (k + shift) >> 1)
}

/**
 * Collects the lists of candidates for a query among the kept keys of a rank, to be read with `nextCandidate`. Returns
 * false, collecting nothing, if that would cost more than `budget`, in units of scanning one key.
 */
export function collectCandidates(query: u32, rank: u32, budget: u32): bool {
  listCount = 0
  if (!isIndexed(rank)) return false
  const n = lengthOf(query)
  const k = allowedBetween(rank, rankOf(query))
  const shift = n - lengthAt(rank)
  const count = <i32>segmentCount(rank)
  let cost: u32 = 0
  let start = 0
  for (let segment = 0; segment <= k; segment++) {
    const length = segmentLength(rank, count, segment)
    const places = min(n - length, latest(start, segment, k, shift)) - earliest(start, segment, k, shift) + 1
    if (places > 0) cost += <u32>places * LOOK_UP_COST
    if (cost > budget) return false
    start += length
  }
  hashPrefixes(query)
  start = 0
  for (let segment = 0; segment <= k; segment++) {
    const length = segmentLength(rank, count, segment)
    const last = min(n - length, latest(start, segment, k, shift))
    for (let at = earliest(start, segment, k, shift); at <= last; at++) {
      const entry = find(segmentHash(at, length, rank, segment))
      if (!entry.firstPosting) continue
      cost += entry.postings * CANDIDATE_COST
      if (cost > budget || listCount == MAX_LISTS) return false
      setU32(lists, listCount++, entry.firstPosting)
    }
    start += length
  }
  return true
}

let list: u32 = 0
let posting: u32 = 0

export function firstCandidate(): u32 {
  list = 0
  posting = 0
  return nextCandidate()
}

/** A key that may be near, or `keyCount` if there are no more. Keys may be repeated. */
export function nextCandidate(): u32 {
  if (posting) posting = u32At(postingNext, posting)
  while (!posting) {
    if (list == listCount) return keyCount
    posting = u32At(lists, list++)
  }
  return u32At(postingKeys, posting)
}

function hashPrefixes(key: u32): void {
  if (key == hashedKey) return
  hashedKey = key
  const length = lengthOf(key)
  const text = textOf(key)
  let hash: u32 = 0
  for (let i = 0; i < length; i++) {
    hash = hash * multiplier + load<u8>(text + i) + 1
    setU32(prefixes, i + 1, hash)
  }
}

@inline
function segmentHash(start: i32, length: i32, rank: u32, segment: i32): u32 {
  let hash = u32At(prefixes, start + length) - u32At(prefixes, start) * u32At(powers, length)
  hash = (hash ^ (((rank << 10) + <u32>segment + seed) * 0x9e3779b1)) * 0x85ebca6b
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35
  return hash ^ (hash >> 16)
}

/** The entry of a hash, or the empty entry for it. */
@inline
function find(hash: u32): Entry {
  let slot = hash & mask
  let entry = changetype<Entry>(table + <usize>slot * ENTRY_BYTES)
  while (entry.firstPosting && entry.hash != hash) {
    slot = (slot + 1) & mask
    entry = changetype<Entry>(table + <usize>slot * ENTRY_BYTES)
  }
  return entry
}
