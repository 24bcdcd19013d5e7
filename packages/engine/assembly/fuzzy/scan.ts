import { allocate, setU32, u32At } from './memory'
import { spend } from './pause'
import { allowedBetween, classCount, lengthAt, lengthOf, longestFor, rankCount, rankOf, shortestFor } from './keys'
import { BLOCK_KEYS, lackingAtMost } from './letters'
import { bigramsApart } from './bigrams'
import { ALONE, groupSize, LANE_KINDS } from './lanes'
import { groupWithin, openGroup } from './band'
import { pairWithin } from './pair'
import { batchSize, lettersOf, sketchOf } from './batch'
import { idAt, lettersAt, Shelf, shelfOf, sketchAt } from './shelves'
import { leaderOf, settleOn } from './verdicts'

/**
 * Keys of the batch against whole shelves: the letter bound for 32 kept keys at once, the bigram bound for each that
 * is left, and then the comparison, of whole groups or of single pairs, whichever takes less.
 */

/** Which keys want to be held against a shelf: a chain for each rank and kind of lane. */
let firstWant: usize = 0
let wantKeys: usize = 0
let wantNext: usize = 0
let wants: u32 = 0
/** For how many blocks of a chain the bounds are left out: where they hardly tell any keys apart. */
let blocksWithoutBounds: usize = 0
const MOST_WITHOUT_BOUNDS: u32 = 15

/** The keys that a block leaves a candidate, and which ones: a bit each. */
let asking: usize = 0
let masks: usize = 0

export function prepareScan(): void {
  firstWant = allocate(<usize>(rankCount * LANE_KINDS) << 2)
  blocksWithoutBounds = allocate(<usize>(rankCount * LANE_KINDS) << 2)
  const most = <usize>(batchSize * mostPartners() + 1)
  wantKeys = allocate(most << 2)
  wantNext = allocate(most << 2)
  asking = allocate(<usize>batchSize << 2)
  masks = allocate(<usize>batchSize << 2)
}

function mostPartners(): u32 {
  let most: u32 = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) most = max(most, longestFor(rank) - shortestFor(rank) + 1)
  return most
}

export function want(rank: u32, kind: u32, key: u32): void {
  const chain = rank * LANE_KINDS + kind
  setU32(wantKeys, ++wants, key)
  setU32(wantNext, wants, u32At(firstWant, chain))
  setU32(firstWant, chain, wants)
}

/**
 * Block by block, the first blocks of all shelves before the second ones: a leader is likely to be an early key, and
 * once a key has one, only earlier ones matter.
 */
export function scan(): void {
  if (!wants) return
  let more = true
  for (let position: u32 = 0; more; position += BLOCK_KEYS) {
    more = false
    for (let chain: u32 = 0; chain < rankCount * LANE_KINDS; chain++) {
      if (!u32At(firstWant, chain) || position >= shelfOf(chain / LANE_KINDS).count) continue
      scanBlock(chain, position)
      more = true
    }
  }
  wants = 0
  memory.fill(firstWant, 0, <usize>(rankCount * LANE_KINDS) << 2)
}

function scanBlock(chain: u32, position: u32): void {
  const rank = chain / LANE_KINDS, kind = chain % LANE_KINDS
  const shelf = shelfOf(rank), earliest = idAt(shelf, position)
  const without = u32At(blocksWithoutBounds, chain), all = lanesOf(min(BLOCK_KEYS, shelf.count - position))
  let count: u32 = 0, held: u32 = 0
  let link = firstWant + (<usize>chain << 2)
  for (let at = load<u32>(link); at; at = load<u32>(link)) {
    const key = u32At(wantKeys, at)
    if (earliest > leaderOf(key)) {
      store<u32>(link, u32At(wantNext, at)) // nor do later blocks matter
      continue
    }
    link = wantNext + (<usize>at << 2)
    held++
    const near = without ? all : nearInBlock(shelf, position, all, key, rank)
    if (!near) continue
    setU32(asking, count, key)
    setU32(masks, count++, near)
  }
  if (!count) return
  const size = groupSize(kind)
  let compared: u32 = 0
  for (let lane: u32 = 0; lane < BLOCK_KEYS; lane += size) {
    compared += compareGroup(shelf, rank, kind, position, lane, lanesOf(size) << lane, count)
  }
  if (without) setU32(blocksWithoutBounds, chain, without - 1)
  else if (8 * size * compared > 7 * BLOCK_KEYS * held) setU32(blocksWithoutBounds, chain, MOST_WITHOUT_BOUNDS)
}

@inline
function lanesOf(count: u32): u32 {
  return <u32>(((<u64>1) << count) - 1)
}

/** Which keys of a block the bounds leave within reach of a key of the batch. */
function nearInBlock(shelf: Shelf, position: u32, all: u32, key: u32, rank: u32): u32 {
  const n = lengthOf(key), m = lengthAt(rank), k = allowedBetween(rank, rankOf(key))
  // What the kept key has beyond the query is as much more as it is longer.
  let near = lackingAtMost(k - max(m - n, 0), lettersOf(key), lettersAt(shelf, position)) & all
  spend(8)
  const bits = shelf.sketchBits
  if (!near || !bits) return near
  const ours = sketchOf(key, bits)
  for (let left = near; left; left &= left - 1) {
    const lane = ctz(left), theirs = sketchAt(shelf, position + lane)
    const apart = n < m ? bigramsApart(theirs, ours, bits) : bigramsApart(ours, theirs, bits)
    if (apart > 2 * k) near ^= <u32>1 << lane
    spend(<i32>(bits >> 6))
  }
  return near
}

/**
 * Compares what is left of a group with those who ask for it. To hold a query against the whole group takes as long
 * as two pairs, and to open the group as long as a quarter of the classes. Returns how many asked.
 */
function compareGroup(shelf: Shelf, rank: u32, kind: u32, position: u32, lane: u32, lanes: u32, count: u32): u32 {
  let queries: u32 = 0, pairs: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const mask = u32At(masks, i) & lanes
    queries += u32(mask != 0)
    pairs += popcnt(mask)
  }
  if (!pairs) return 0
  const together = kind != ALONE && pairs > 2 * queries + (classCount >> 2)
  const m = lengthAt(rank)
  if (together) openGroup(shelf.ids + (<usize>(position + lane) << 2), min(groupSize(kind), shelf.count - position - lane), m, kind)
  for (let i: u32 = 0; i < count; i++) {
    const mask = u32At(masks, i) & lanes
    if (!mask) continue
    const key = u32At(asking, i), k = allowedBetween(rank, rankOf(key))
    let hits = together ? (groupWithin(key, m, k) << lane) & mask : mask
    for (; hits; hits &= hits - 1) {
      const kept = idAt(shelf, position + ctz(hits))
      if (kept >= leaderOf(key)) break
      if ((together || pairWithin(key, kept, k)) && settleOn(kept, key)) break
    }
  }
  return queries
}
