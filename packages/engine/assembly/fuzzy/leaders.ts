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
import { idAt, lettersAt, longestInLanes, prepareShelves, putOnShelf, Shelf, shelfOf, sketchAt } from './shelves'

/**
 * For each key, in order, the first kept key that reaches the threshold; a key with none is its own leader and is
 * kept. Keys come in batches: first each is held against what was kept before the batch, group by group, so that
 * what is made ready for a group serves the whole batch; then the batch settles among itself.
 */
let leaders: usize = 0
let batchSize: u32 = 0
let indexing: bool = true

/** Per key of the batch. */
let letters: usize = 0
let sketches: usize = 0
let drawnBits: usize = 0
let fresh: usize = 0

/** Which keys of the batch want to be held against a shelf: a chain for each rank. */
let firstWant: usize = 0
let wantKeys: usize = 0
let wantNext: usize = 0
let wants: u32 = 0

export function findLeaders(batchSize_: u32, indexing_: bool): usize {
  batchSize = batchSize_
  indexing = indexing_
  prepare()
  for (let start: u32 = 0; start < keyCount; start += batchSize) {
    const end = min(start + batchSize, keyCount)
    openBatch(start, end)
    for (let key = start; key < end; key++) lookUp(key)
    for (let rank: u32 = 0; rank < rankCount; rank++) if (u32At(firstWant, rank)) scanShelf(rank, start)
    settle(start, end)
  }
  return leaders
}

function prepare(): void {
  const longest = lengthAt(rankCount - 1)
  prepareShelves()
  prepareBand(longestInLanes())
  prepareBlocks(longest)
  if (classesAreShared()) preparePoints(longest)
  if (indexing) prepareSegments()
  leaders = allocate(<usize>keyCount << 2)
  letters = allocate(<usize>batchSize * LETTER_BYTES)
  sketches = allocate(<usize>batchSize * (LARGEST_SKETCH_BITS >> 3))
  drawnBits = allocate(<usize>batchSize << 2)
  fresh = allocate(<usize>batchSize << 2)
  firstWant = allocate(<usize>rankCount << 2)
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
  memory.fill(firstWant, 0, <usize>rankCount << 2)
  for (let key = start; key < end; key++) {
    setU32(leaders, key, key)
    setU32(drawnBits, key - start, 0)
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
    if (indexing && collectCandidates(key, rank, shelf.count * shelf.scanCost)) checkCandidates(key, rank)
    else want(rank, key)
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

function want(rank: u32, key: u32): void {
  setU32(wantKeys, ++wants, key)
  setU32(wantNext, wants, u32At(firstWant, rank))
  setU32(firstWant, rank, wants)
}

function scanShelf(rank: u32, start: u32): void {
  const shelf = shelfOf(rank), first = u32At(firstWant, rank)
  if (shelf.sketchBits) for (let at = first; at; at = u32At(wantNext, at)) drawSketchOf(u32At(wantKeys, at), start, shelf.sketchBits)
  for (let position: u32 = 0; position < shelf.count; position += shelf.groupSize) {
    const count = min(shelf.groupSize, shelf.count - position)
    let open = false
    for (let at = first; at; at = u32At(wantNext, at)) {
      const key = u32At(wantKeys, at)
      if (idAt(shelf, position) > leaderOf(key)) continue
      if (shelf.sketchBits && !anyNear(shelf, position, count, key, start)) continue
      if (!open) openKept(shelf, position, count, rank)
      open = true
      takeHits(shelf, position, count, key, rank)
    }
  }
}

function drawSketchOf(key: u32, start: u32, bits: u32): void {
  const slot = key - start
  if (u32At(drawnBits, slot) == bits) return
  setU32(drawnBits, slot, bits)
  drawSketch(textOf(key), lengthOf(key), bits, sketches + <usize>slot * (LARGEST_SKETCH_BITS >> 3))
}

/** Whether the letter and bigram bounds leave any key of the group within reach. */
function anyNear(shelf: Shelf, position: u32, count: u32, key: u32, start: u32): bool {
  const slot = <usize>(key - start), n = lengthOf(key), m = lengthOf(idAt(shelf, position))
  const k = allowedBetween(rankOf(key), rankOf(idAt(shelf, position)))
  const ourLetters = letters + slot * LETTER_BYTES, ourSketch = sketches + slot * (LARGEST_SKETCH_BITS >> 3)
  for (let at = position; at < position + count; at++) {
    if (lettersApart(ourLetters, lettersAt(shelf, at), n, m) > k) continue
    spend(<i32>(shelf.sketchBits >> 6))
    const theirs = sketchAt(shelf, at)
    const apart = n < m ? bigramsApart(theirs, ourSketch, shelf.sketchBits) : bigramsApart(ourSketch, theirs, shelf.sketchBits)
    if (apart <= 2 * k) return true
  }
  spend(<i32>count << 1)
  return false
}

function openKept(shelf: Shelf, position: u32, count: u32, rank: u32): void {
  if (shelf.laneBytes) openGroup(shelf.ids + (<usize>position << 2), count, lengthAt(rank), shelf.laneBytes)
  else openPattern(idAt(shelf, position))
}

function takeHits(shelf: Shelf, position: u32, count: u32, key: u32, rank: u32): void {
  const k = allowedBetween(rank, rankOf(key))
  let hits: u32 = shelf.laneBytes ? groupWithin(key, lengthAt(rank), k) : <u32>patternWithin(key, k)
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
