/**
 * How kept keys are compared with a query: in lanes of 8, 16, 32 or 64 bits together with others of a group, or one by
 * one. A lane has one bit for each diagonal within the allowed distance.
 */
export const LANE_KINDS: u32 = 5
export const ALONE: u32 = 4

/** Beyond this length the windows of a group would not fit in the processor's cache. */
export const LONGEST_IN_LANES: i32 = 1024

/** For a kept key of length m, a query of length n and a distance of at most k >= |m - n|. */
export function laneKind(m: i32, n: i32, k: i32): u32 {
  if (m > LONGEST_IN_LANES) return ALONE
  const diagonals = ((k + m - n) >> 1) + ((k - m + n) >> 1) + 1
  return diagonals <= 8 ? 0 : diagonals <= 16 ? 1 : diagonals <= 32 ? 2 : diagonals <= 64 ? 3 : ALONE
}

/** The lowest `count` of 32 lanes, one bit each. */
@inline
export function lowestLanes(count: u32): u32 {
  return <u32>(((<u64>1) << count) - 1)
}

@inline
export function groupSize(kind: u32): u32 {
  return kind == ALONE ? 1 : 32 >> kind
}
