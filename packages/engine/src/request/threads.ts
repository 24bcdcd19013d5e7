import { Space } from '../core/space.ts'

/** Memory that has grown beyond this is freed after the request that needed it. */
const KEPT_BYTES = 96 * 1_048_576

let kept: Space | undefined

/**
 * Runs work in the space that the thread keeps for requests; whatever happens, the next request gets a usable one.
 * @param seed for work that hashes
 */
export function inSpace<Result>(seed: Uint8Array | undefined, work: (space: Space) => Result): Result {
  // While it is in use, nothing else can take it; after an error it is not kept.
  const space = kept ?? new Space()
  kept = undefined
  if (seed) space.seedWith(seed)
  space.clear()
  const result = work(space)
  if (space.memoryBytes <= KEPT_BYTES) kept = space
  return result
}
