import { allocate, u32At, setU32 } from './memory'
import { spend } from './pause'
import {
  allowedBetween, classesAreShared, keyCount, lengthAt, lengthOf, longestFor, rankCount, rankOf, shortestFor, textOf,
} from './keys'
import { countLetters, LETTER_BYTES, lettersApart } from './letters'
import { bigramsApart, drawSketch, LARGEST_SKETCH_BITS } from './bigrams'
import { groupWithin, openGroup, prepareBand } from './band'
import { openPattern, patternWithin, prepareBlocks } from './blocks'
import { pointsWithin, preparePoints } from './points'
import { collectCandidates, firstCandidate, indexKey, nextCandidate, prepareSegments } from './segments'
import { ALONE, groupSize, isWide, LANE_KINDS, laneKind, scanCost } from './lanes'
import { idAt, lettersAt, prepareShelves, putOnShelf, Shelf, shelfOf, sketchAt } from './shelves'

/**
 * For each key, in order, the first kept key that reaches the threshold; a key with none is its own leader and is
 * kept. Keys come in batches: first each is held against what was kept before the batch, group by group, so that
 * what is made ready for a group serves the whole batch; then the batch settles among itself.
 */
let leaders: usize = 0
let batchSize: u32 = 0
let indexing: bool = true

/** All sizes of sketches of one key. */
const SKETCHES_BYTES: usize = LARGEST_SKETCH_BITS >> 2

/** Per key of the batch. */
let letters: usize = 0
let sketches: usize = 0
let drawn: usize = 0
let fresh: usize = 0

/** Which keys of the batch want to be held against a shelf: a chain for each rank and kind of lane. */
let firstWant: usize = 0
let wantKeys: usize = 0
let wantNext: usize = 0
let wants: u32 = 0

export function findLeaders(): usize {
  for (let start: u32 = 0; start < keyCount; start += batchSize) {
    const end = min(start + batchSize, keyCount)
    openBatch(start, end)
    for (let key = start; key < end; key++) lookUp(key)
    scan(start)
    settle(start, end)
  }
  return leaders
}

/** Makes room for all that the request can need. */
export function prepare(batchSize_: u32, indexing_: bool): void {
  batchSize = batchSize_
  indexing = indexing_
  const longest = lengthAt(rankCount - 1)
  prepareShelves()
  prepareBand()
  prepareBlocks(longest)
  if (classesAreShared()) preparePoints(longest)
  prepareSegments()
  leaders = allocate(<usize>keyCount << 2)
  letters = allocate(<usize>batchSize * LETTER_BYTES)
  sketches = allocate(<usize>batchSize * SKETCHES_BYTES)
  drawn = allocate(<usize>batchSize << 2)
  fresh = allocate(<usize>batchSize << 2)
  firstWant = allocate(<usize>(rankCount * LANE_KINDS) << 2)
  const most = <usize>(batchSize * mostPartners() + 1)
  wantKeys = allocate(most << 2)
  wantNext = allocate(most << 2)
}

function mostPartners(): u32 {
  let most: u32 = 0
  for (let rank: u32 = 0; rank < rankCount; rank++) most = max(most, longestFor(rank) - shortestFor(rank) + 1)
  return most
}

@inline
function leaderOf(key: u32): u32 {
  return u32At(leaders, key)
}

function openBatch(start: u32, end: u32): void {
  wants = 0
  memory.fill(firstWant, 0, <usize>(rankCount * LANE_KINDS) << 2)
  for (let key = start; key < end; key++) {
    setU32(leaders, key, key)
    setU32(drawn, key - start, 0)
    countLetters(textOf(key), lengthOf(key), letters + <usize>((key - start) * LETTER_BYTES))
  }
}

/** Looks a key up in the index where that is cheap, and notes the shelves that it wants scanned where it is not. */
function lookUp(key: u32): void {
  const own = rankOf(key)
  const last = longestFor(own)
  for (let rank = shortestFor(own); rank <= last; rank++) {
    const shelf = shelfOf(rank)
    // Distinct keys are at least one edit apart.
    if (!shelf.count || !allowedBetween(rank, own) || idAt(shelf, 0) > leaderOf(key)) continue
    const kind = laneKind(lengthAt(rank), lengthOf(key), allowedBetween(rank, own))
    if (indexing && collectCandidates(key, rank, shelf.count * scanCost(kind))) checkCandidates(key, rank)
    else want(rank * LANE_KINDS + kind, key)
  }
}

function checkCandidates(key: u32, rank: u32): void {
  for (let candidate = firstCandidate(); candidate < keyCount; candidate = nextCandidate()) {
    if (candidate >= leaderOf(key) || rankOf(candidate) != rank) continue
    openPattern(key)
    if (patternWithin(candidate, allowedBetween(rank, rankOf(key)))) settleOn(candidate, key)
  }
}

/** What is near by classes becomes the leader when it is near by code points and earlier than the one so far. */
function settleOn(candidate: u32, key: u32): bool {
  if (candidate >= leaderOf(key)) return false
  if (classesAreShared() && !pointsWithin(candidate, key, allowedBetween(rankOf(candidate), rankOf(key)))) return false
  setU32(leaders, key, candidate)
  return true
}

function want(chain: u32, key: u32): void {
  setU32(wantKeys, ++wants, key)
  setU32(wantNext, wants, u32At(firstWant, chain))
  setU32(firstWant, chain, wants)
}

/**
 * Group by group, the first groups of all shelves before the second ones: a leader is likely to be an early key, and
 * once a key has one, only earlier ones matter.
 */
function scan(start: u32): void {
  let more = true
  for (let round: u32 = 0; more; round++) {
    more = false
    for (let chain: u32 = 0; chain < rankCount * LANE_KINDS; chain++) {
      if (!u32At(firstWant, chain)) continue
      const position = round * groupSize(chain % LANE_KINDS)
      if (position >= shelfOf(chain / LANE_KINDS).count) continue
      scanGroup(chain, position, start)
      more = true
    }
  }
}

function scanGroup(chain: u32, position: u32, start: u32): void {
  const rank = chain / LANE_KINDS, kind = chain % LANE_KINDS
  const shelf = shelfOf(rank), earliest = idAt(shelf, position)
  const count = min(groupSize(kind), shelf.count - position)
  let open = false
  let link = firstWant + (<usize>chain << 2)
  for (let at = load<u32>(link); at; at = load<u32>(link)) {
    const key = u32At(wantKeys, at)
    if (earliest > leaderOf(key)) {
      store<u32>(link, u32At(wantNext, at)) // nor do later groups matter
      continue
    }
    link = wantNext + (<usize>at << 2)
    if (isWide(kind) && !anyNear(shelf, position, count, key, start)) continue
    if (!open) openKept(shelf, position, count, kind)
    open = true
    takeHits(shelf, position, count, key, kind)
  }
}

/** The sketch of a key of the batch, drawn when first asked for: that of b bits stands b / 8 bytes from the start. */
function sketchOf(key: u32, start: u32, bits: u32): usize {
  const slot = key - start, sketch = sketches + <usize>slot * SKETCHES_BYTES + (bits >> 3)
  if (u32At(drawn, slot) & bits) return sketch
  setU32(drawn, slot, u32At(drawn, slot) | bits)
  drawSketch(textOf(key), lengthOf(key), bits, sketch)
  return sketch
}

/** Whether the letter and bigram bounds leave any key of the group within reach. */
function anyNear(shelf: Shelf, position: u32, count: u32, key: u32, start: u32): bool {
  const slot = <usize>(key - start), n = lengthOf(key), m = lengthOf(idAt(shelf, position))
  const k = allowedBetween(rankOf(key), rankOf(idAt(shelf, position)))
  const ourLetters = letters + slot * LETTER_BYTES
  const ourSketch = sketchOf(key, start, shelf.sketchBits)
  for (let at = position; at < position + count; at++) {
    if (lettersApart(ourLetters, lettersAt(shelf, at), n, m) > k) continue
    spend(<i32>(shelf.sketchBits >> 6))
    const theirs = sketchAt(shelf, at)
    const bits = shelf.sketchBits
    const apart = n < m ? bigramsApart(theirs, ourSketch, bits) : bigramsApart(ourSketch, theirs, bits)
    if (apart <= 2 * k) return true
  }
  spend(<i32>count << 1)
  return false
}

function openKept(shelf: Shelf, position: u32, count: u32, kind: u32): void {
  const first = idAt(shelf, position)
  if (kind == ALONE) openPattern(first)
  else openGroup(shelf.ids + (<usize>position << 2), count, lengthOf(first), kind)
}

function takeHits(shelf: Shelf, position: u32, count: u32, key: u32, kind: u32): void {
  const first = idAt(shelf, position), k = allowedBetween(rankOf(first), rankOf(key))
  let hits: u32 = kind == ALONE ? <u32>patternWithin(key, k) : groupWithin(key, lengthOf(first), k)
  for (; hits; hits &= hits - 1) {
    const lane = ctz(hits)
    if (lane >= count || settleOn(idAt(shelf, position + lane), key)) return
  }
}

/** Inside the batch, in order, so that the first of two duplicates is always the one that stays. */
function settle(start: u32, end: u32): void {
  let count: u32 = 0
  for (let key = start; key < end; key++) {
    for (let i: u32 = 0; i < count && leaderOf(key) == key; i++) compareFresh(u32At(fresh, i), key, start)
    if (leaderOf(key) == key) setU32(fresh, count++, key)
  }
  for (let i: u32 = 0; i < count; i++) {
    const key = u32At(fresh, i)
    putOnShelf(key, rankOf(key))
    if (indexing) indexKey(key)
  }
}

@inline
function compareFresh(earlier: u32, key: u32, start: u32): void {
  const ours = rankOf(key), theirs = rankOf(earlier)
  if (theirs < shortestFor(ours) || theirs > longestFor(ours)) return
  const k = allowedBetween(ours, theirs)
  const ourLetters = letters + <usize>((key - start) * LETTER_BYTES)
  const theirLetters = letters + <usize>((earlier - start) * LETTER_BYTES)
  if (lettersApart(ourLetters, theirLetters, lengthOf(key), lengthOf(earlier)) > k) return
  openPattern(key)
  if (patternWithin(earlier, k)) settleOn(earlier, key)
}
