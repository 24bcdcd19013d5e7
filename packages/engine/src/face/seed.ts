import { SEED_BYTES } from '../core/seed.ts'

declare const crypto: { getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> }

let made: Uint8Array<ArrayBuffer> | undefined

/**
 * A seed of this process's own, so that nobody can prepare texts that take long. The only place of the engine where
 * something is random; no verdict depends on it.
 */
export function ownSeed(): Uint8Array {
  made ??= crypto.getRandomValues(new Uint8Array(SEED_BYTES))
  return made
}

/** As much of it as the hash of fuzzy work takes. */
export function ownSeedWord(): number {
  return new DataView(ownSeed().buffer).getUint32(0)
}
