import { SEED_BYTES } from '../../src/core/seed.ts'

/** A pseudo-random seed for the hash. */
export function seed(number = 1): Uint8Array {
  let state = number
  return Uint8Array.from({ length: SEED_BYTES }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  })
}
