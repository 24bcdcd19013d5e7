import { Space } from '../core/space.ts'

/** A memory that has grown beyond this is given back after the request that needed it. */
const KEPT_BYTES = 96 * 1_048_576

let kept: Space | undefined

/**
 * Works in the memory that the thread keeps for requests; whatever comes of one, the next finds it fit.
 * `seed`: for work that hashes.
 */
export function inSpace<Result>(seed: Uint8Array | undefined, work: (space: Space) => Result): Result {
  // While it is in use it is nobody else's, and a fault leaves none behind.
  const space = kept ?? new Space()
  kept = undefined
  if (seed) space.seedWith(seed)
  space.clear()
  const result = work(space)
  if (space.memoryBytes <= KEPT_BYTES) kept = space
  return result
}
