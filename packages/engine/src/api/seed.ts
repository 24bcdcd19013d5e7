import { SEED_BYTES } from '../core/seed.ts'

declare const crypto: { getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> }

let made: Uint8Array<ArrayBuffer> | undefined

/**
 * A random seed for this process, so that nobody can prepare texts that take unusually long. This is the only source of
 * randomness in the engine; verdicts do not depend on it.
 */
export function ownSeed(): Uint8Array {
  made ??= crypto.getRandomValues(new Uint8Array(SEED_BYTES))
  return made
}
