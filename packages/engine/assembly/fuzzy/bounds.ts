/** The kernel with its individual bounds, so that tests can compare them with the true distance of keys a and b. */
import { groupWithin, openGroup } from './band'
import { bigramsApart, drawSketch } from './bigrams'
import { keyCount, lengthOf, longestFor, rankOf, shortestFor, textOf } from './keys'
import { groupSize, lowestLanes } from './lanes'
import { allocateBlocks, BLOCK_KEYS, LIST_BYTES, lackingAtMost, listLetters, putLetters } from './letters'
import { allocate } from './memory'
import { collectCandidates, firstCandidate, indexKey, isIndexed, nextCandidate } from './segments'

export function lengthsMeet(a: u32, b: u32): bool {
  return shortestFor(rankOf(a)) <= rankOf(b) && rankOf(b) <= longestFor(rankOf(a))
}

export function lettersBound(a: u32, b: u32, lane: u32): i32 {
  const list = allocate(LIST_BYTES)
  const block = allocateBlocks(BLOCK_KEYS)
  listLetters(textOf(a), lengthOf(a), list)
  putLetters(textOf(b), lengthOf(b), block, lane)
  let lacking = 0
  while (!((lackingAtMost(lacking, list, block) >> lane) & 1)) lacking++
  return lacking + max(lengthOf(b) - lengthOf(a), 0)
}

/** Twice the bound, from sketches of this many bits. */
export function bigramsBound(a: u32, b: u32, bits: u32): i32 {
  const sketchA = allocate(bits >> 3)
  const sketchB = allocate(bits >> 3)
  drawSketch(textOf(a), lengthOf(a), bits, sketchA)
  drawSketch(textOf(b), lengthOf(b), bits, sketchB)
  return max(bigramsApart(sketchA, sketchB, bits), bigramsApart(sketchB, sketchA, bits))
}

let indexed: usize = 0

/** Whether looking up `query` finds `key`, which is added to the index; true if the index does not take such keys. */
export function segmentsFind(query: u32, key: u32): bool {
  if (!isIndexed(rankOf(key))) return true
  if (!indexed) indexed = allocate(keyCount)
  if (!load<u8>(indexed + key)) indexKey(key)
  store<u8>(indexed + key, 1)
  if (!collectCandidates(query, rankOf(key), 0xffffffff)) return false
  for (let found = firstCandidate(); found < keyCount; found = nextCandidate()) if (found == key) return true
  return false
}

/** Whether b is within distance k of a, computed in every lane of a group filled with it; all lanes must agree. */
export function bandWithin(a: u32, b: u32, k: i32, kind: u32): bool {
  const count = groupSize(kind)
  const ids = allocate((<usize>count) << 2)
  for (let lane: u32 = 0; lane < count; lane++) store<u32>(ids + ((<usize>lane) << 2), b)
  openGroup(ids, count, lengthOf(b), kind)
  const hits = groupWithin(a, lengthOf(b), k)
  const all = lowestLanes(count)
  if (hits != 0 && hits != all) unreachable()
  return hits != 0
}

export { allowedDistance } from './allowance'
export { blocksWithin } from './blocks'
export * from './index'
export { laneKind } from './lanes'
export { pairWithin } from './pair'
export { pointsWithin } from './points'
