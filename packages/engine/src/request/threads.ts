import { Space } from '../core/space.ts'

/** Memory that has grown beyond this is freed after the request that needed it. */
const KEPT_BYTES = 96 * 1_048_576

let kept: Space | undefined

/**
 * Runs work in the space that the thread keeps for requests; whatever happens, the next request finds it in order.
 * @param seed for work that hashes
 */
export function inSpace<Result>(seed: Uint8Array | undefined, work: (space: Space) => Result): Result {
  // While it is in use nobody else has it, and after an error none is left behind.
  const space = kept ?? new Space()
  kept = undefined
  if (seed) space.seedWith(seed)
  space.clear()
  const result = work(space)
  if (space.memoryBytes <= KEPT_BYTES) kept = space
  return result
}
