import { openKernel } from './kernel.ts'

/** Number of random bytes in a seed of the hash. */
export const SEED_BYTES: number = openKernel().kernel.seedBytes()
