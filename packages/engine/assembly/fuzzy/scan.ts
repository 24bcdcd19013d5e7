import { groupWithin, openGroup } from './band'
import { batchSize, lettersOf, sketchOf } from './batch'
import { bigramsApart } from './bigrams'
import { classCount } from './classes'
import { allowedBetween, lengthAt, lengthOf, longestFor, rankCount, rankOf, shortestFor } from './keys'
import { ALONE, groupSize, LANE_KINDS, lowestLanes } from './lanes'
import { Bucket, bucketOf, idAt, sketchAt } from './length-buckets'
import { BLOCK_KEYS, blockAt, lackingAtMost } from './letters'
import { allocate, setU32, u32At } from './memory'
import { countPairs, pairWithin } from './pair'
import { spend } from './pause'
import { leaderOf, settleOn } from './verdicts'

/**
 * Compares the keys of the batch with whole buckets: the letter bound for 32 kept keys at once, the bigram bound for
 * each remaining one, and then the comparison, of whole groups or of single pairs, whichever is cheaper.
 */

/** Which keys are to be compared with a bucket: a chain for each rank and kind of lane. */
let firstQueued: usize = 0
let queuedKeys: usize = 0
let nextQueued: usize = 0
let queuedCount: u32 = 0
/** The non-empty chains. */
let chains: usize = 0
let chainCount: u32 = 0
/** For how many blocks of a chain the bounds are skipped, because they rule out hardly any keys. */
let blocksWithoutBounds: usize = 0
const MAX_WITHOUT_BOUNDS: u32 = 15

/** The current block: kept keys from a position of a bucket on. */
let rank: u32 = 0
let kind: u32 = 0
let bucket: Bucket = changetype<Bucket>(0)
let position: u32 = 0

/**
 * The keys of the batch with candidates in the block that the bounds did not rule out, and these candidates: one bit
 * each.
 */
let queryCount: u32 = 0
let queryKeys: usize = 0
let masks: usize = 0

export function prepareScan(): void {
  firstQueued = allocate((<usize>(rankCount * LANE_KINDS)) << 2)
  chains = allocate((<usize>(rankCount * LANE_KINDS)) << 2)
  blocksWithoutBounds = allocate((<usize>(rankCount * LANE_KINDS)) << 2)
  const most = <usize>(batchSize * mostPartners() + 1)
  queuedKeys = allocate(most << 2)
  nextQueued = allocate(most << 2)
  queryKeys = allocate((<usize>batchSize) << 2)
  masks = allocate((<usize>batchSize) << 2)
}

function mostPartners(): u32 {
  let most: u32 = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) most = max(most, longestFor(rank) - shortestFor(rank) + 1)
  return most
}

export function enqueue(rank: u32, kind: u32, key: u32): void {
  const chain = rank * LANE_KINDS + kind
  if (!u32At(firstQueued, chain)) setU32(chains, chainCount++, chain)
  setU32(queuedKeys, ++queuedCount, key)
  setU32(nextQueued, queuedCount, u32At(firstQueued, chain))
  setU32(firstQueued, chain, queuedCount)
}

/**
 * Block by block, the first blocks of all buckets before the second ones: a leader is likely to be an early key, and
 * once a key has one, only earlier ones matter.
 */
export function scan(): void {
  for (position = 0; chainCount; position += BLOCK_KEYS) {
    let left: u32 = 0
    for (let i: u32 = 0; i < chainCount; i++) {
      const chain = u32At(chains, i)
      if (position < bucketOf(chain / LANE_KINDS).count) scanBlock(chain)
      else setU32(firstQueued, chain, 0)
      if (u32At(firstQueued, chain)) setU32(chains, left++, chain)
    }
    chainCount = left
  }
  queuedCount = 0
}

function scanBlock(chain: u32): void {
  rank = chain / LANE_KINDS
  kind = chain % LANE_KINDS
  bucket = bucketOf(rank)
  const without = u32At(blocksWithoutBounds, chain)
  const checked = findQueries(chain, without != 0)
  const size = groupSize(kind)
  let runs: u32 = 0
  if (queryCount) for (let lane: u32 = 0; lane < BLOCK_KEYS; lane += size) runs += compareGroup(lane, size)
  if (without) setU32(blocksWithoutBounds, chain, without - 1)
  else if (8 * size * runs > 7 * BLOCK_KEYS * checked) setU32(blocksWithoutBounds, chain, MAX_WITHOUT_BOUNDS)
}

/** Finds candidates in the block for the keys of a chain. Returns how many keys were checked. */
function findQueries(chain: u32, withoutBounds: bool): u32 {
  const all = lowestLanes(min(BLOCK_KEYS, bucket.count - position))
  const earliest = idAt(bucket, position)
  let checked: u32 = 0
  queryCount = 0
  let link = firstQueued + ((<usize>chain) << 2)
  for (let at = load<u32>(link); at; at = load<u32>(link)) {
    const key = u32At(queuedKeys, at)
    if (earliest > leaderOf(key)) {
      store<u32>(link, u32At(nextQueued, at)) // later blocks do not matter either
      continue
    }
    link = nextQueued + ((<usize>at) << 2)
    checked++
    const near = withoutBounds ? all : nearInBlock(key, all)
    if (!near) continue
    setU32(queryKeys, queryCount, key)
    setU32(masks, queryCount++, near)
  }
  return checked
}

/** Which of these keys of the block are possibly near a key of the batch, according to the bounds. */
function nearInBlock(key: u32, all: u32): u32 {
  const n = lengthOf(key)
  const m = lengthAt(rank)
  const k = allowedBetween(rank, rankOf(key))
  const bits = bucket.sketchBits
  // The kept key lacks m - n fewer letters of the query than the query lacks of it.
  let near = all & lackingAtMost(k - max(m - n, 0), lettersOf(key), blockAt(bucket.letters, position))
  spend(8)
  if (!near || !bits) return near
  const ours = sketchOf(key, bits)
  for (let left = near; left; left &= left - 1) {
    const lane = ctz(left)
    const theirs = sketchAt(bucket, position + lane)
    const apart = n < m ? bigramsApart(theirs, ours, bits) : bigramsApart(ours, theirs, bits)
    if (apart > 2 * k) near ^= (<u32>1) << lane
    spend(<i32>(bits >> 6))
  }
  return near
}

/**
 * Compares a group of `size` keys, starting at a lane of the block, with the keys that have a candidate in it; returns
 * the number of these. As measured, comparing a query with the whole group takes as long as two pairs, and opening the
 * group as long as one pair for every four classes.
 */
function compareGroup(lane: u32, size: u32): u32 {
  const lanes = lowestLanes(size) << lane
  let queries: u32 = 0
  let pairs: u32 = 0
  for (let i: u32 = 0; i < queryCount; i++) {
    const mask = u32At(masks, i) & lanes
    queries += u32(mask != 0)
    pairs += popcnt(mask)
  }
  if (!queries) return 0
  const together = kind != ALONE && pairs > 2 * queries + (classCount >> 2)
  const m = lengthAt(rank)
  const start = position + lane
  if (together) {
    countPairs(pairs)
    openGroup(bucket.ids + ((<usize>start) << 2), min(size, bucket.count - start), m, kind)
  }
  for (let i: u32 = 0; i < queryCount; i++) {
    const mask = u32At(masks, i) & lanes
    if (!mask) continue
    const key = u32At(queryKeys, i)
    const hits = together ? mask & (groupWithin(key, m, allowedBetween(rank, rankOf(key))) << lane) : mask
    takeFirst(hits, key, together)
  }
  return queries
}

/** The first near kept key in these lanes becomes the leader; `surely`: all of them are known to be near. */
function takeFirst(lanes: u32, key: u32, surely: bool): void {
  const k = allowedBetween(rank, rankOf(key))
  for (let left = lanes; left; left &= left - 1) {
    const kept = idAt(bucket, position + ctz(left))
    if (kept >= leaderOf(key)) return
    if ((surely || pairWithin(key, kept, k)) && settleOn(kept, key)) return
  }
}
