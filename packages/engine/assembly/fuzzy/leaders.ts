import { prepareBand } from './band'
import { batchSize, lettersOf, openBatch, prepareBatch } from './batch'
import { prepareBlocks } from './blocks'
import { classesAreShared } from './classes'
import {
  allowedBetween,
  keyCount,
  lengthAt,
  lengthOf,
  longestFor,
  mostAllowed,
  rankCount,
  rankOf,
  shortestFor,
  textOf,
} from './keys'
import { laneKind, lowestLanes } from './lanes'
import { addToBucket, bucketOf, idAt, prepareBuckets } from './length-buckets'
import { allocateBlocks, BLOCK_KEYS, blockAt, lackingAtMost, putLetters } from './letters'
import { allocate, setU32, u32At } from './memory'
import { pairWithin } from './pair'
import { preparePoints } from './points'
import { enqueue, prepareScan, scan } from './scan'
import { collectCandidates, firstCandidate, indexKey, nextCandidate, prepareSegments } from './segments'
import { leaderOf, prepareVerdicts, settleOn } from './verdicts'

/**
 * For each key, in order, the first kept key that reaches the threshold; a key without one is its own leader and is
 * kept. Keys are processed in batches: first each is compared with the keys kept before the batch, block by block, so
 * that preparing a block serves the whole batch; then the keys of the batch are compared with each other.
 */
let leaders: usize = 0
let indexing: bool = true

/** The keys that the batch keeps, in order, and their letters. */
let fresh: usize = 0
let freshLetters: usize = 0

export function findLeaders(): usize {
  for (let start: u32 = 0; start < keyCount; start += batchSize) {
    const end = min(start + batchSize, keyCount)
    openBatch(start, end)
    for (let key = start; key < end; key++) lookUp(key)
    scan()
    settle(start, end)
  }
  return leaders
}

/** Allocates everything that the request can need. */
export function prepare(batchSize: u32, indexing_: bool): void {
  indexing = indexing_
  const longest = lengthAt(rankCount - 1)
  leaders = prepareVerdicts()
  prepareBatch(batchSize)
  prepareBuckets()
  prepareScan()
  prepareBand()
  prepareBlocks(longest)
  if (classesAreShared) preparePoints(longest)
  prepareSegments()
  fresh = allocate((<usize>batchSize) << 2)
  freshLetters = allocateBlocks(batchSize)
}

/** Looks up a key in the index where that is cheap, and notes the buckets to scan where it is not. */
function lookUp(key: u32): void {
  const own = rankOf(key)
  const last = longestFor(own)
  for (let rank = shortestFor(own); rank <= last; rank++) {
    const bucket = bucketOf(rank)
    // Distinct keys are at least one edit apart.
    if (!bucket.count || !allowedBetween(rank, own) || idAt(bucket, 0) > leaderOf(key)) continue
    if (indexing && collectCandidates(key, rank, bucket.count)) checkCandidates(key, rank)
    else enqueue(rank, laneKind(lengthAt(rank), lengthOf(key), allowedBetween(rank, own)), key)
  }
}

function checkCandidates(key: u32, rank: u32): void {
  for (let candidate = firstCandidate(); candidate < keyCount; candidate = nextCandidate()) {
    if (candidate >= leaderOf(key) || rankOf(candidate) != rank) continue
    if (pairWithin(key, candidate, allowedBetween(rank, rankOf(key)))) settleOn(candidate, key)
  }
}

/** Compares the keys of the batch with each other, in order, so that the first of two duplicates is always kept. */
function settle(start: u32, end: u32): void {
  let count: u32 = 0
  for (let key = start; key < end; key++) {
    for (let position: u32 = 0; position < count && leaderOf(key) == key; position += BLOCK_KEYS) {
      compareFresh(key, position, min(count - position, BLOCK_KEYS))
    }
    if (leaderOf(key) != key) continue
    putLetters(textOf(key), lengthOf(key), freshLetters, count)
    setU32(fresh, count++, key)
  }
  for (let i: u32 = 0; i < count; i++) {
    const key = u32At(fresh, i)
    addToBucket(key)
    if (indexing) indexKey(key)
  }
}

/** Compares a key with `count` of the batch's kept keys, at most a block, from `position` on. */
function compareFresh(key: u32, position: u32, count: u32): void {
  const own = rankOf(key)
  let near = lowestLanes(count) & lackingAtMost(mostAllowed(own), lettersOf(key), blockAt(freshLetters, position))
  for (; near; near &= near - 1) {
    const earlier = u32At(fresh, position + ctz(near))
    const rank = rankOf(earlier)
    if (rank < shortestFor(own) || rank > longestFor(own)) continue
    if (pairWithin(key, earlier, allowedBetween(own, rank)) && settleOn(earlier, key)) return
  }
}
