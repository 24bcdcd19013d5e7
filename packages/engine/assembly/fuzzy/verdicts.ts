import { classesAreShared } from './classes'
import { allowedBetween, keyCount, rankOf } from './keys'
import { allocate, setU32, u32At } from './memory'
import { pointsWithin } from './points'

/** For each key the earliest kept key known to reach the threshold; the key itself if there is none. */
let leaders: usize = 0

export function prepareVerdicts(): usize {
  leaders = allocate((<usize>keyCount) << 2)
  for (let key: u32 = 0; key < keyCount; key++) setU32(leaders, key, key)
  return leaders
}

@inline
export function leaderOf(key: u32): u32 {
  return u32At(leaders, key)
}

/**
 * A candidate that is near by classes becomes the leader if it is near by code points and earlier than the current one.
 */
export function settleOn(candidate: u32, key: u32): bool {
  if (candidate >= leaderOf(key)) return false
  if (classesAreShared && !pointsWithin(candidate, key, allowedBetween(rankOf(candidate), rankOf(key)))) return false
  setU32(leaders, key, candidate)
  return true
}
