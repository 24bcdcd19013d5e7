import { openKernel } from './kernel.ts'

/** Number of random bytes in a seed of the hash. */
export const SEED_BYTES: number = openKernel().kernel.seedBytes()

/** The part of a seed that fuzzy matching uses for its hashes. */
export function seedWord(seed: Uint8Array): number {
  return new DataView(seed.buffer, seed.byteOffset).getUint32(0)
}
