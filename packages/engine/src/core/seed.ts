import { openKernel } from './kernel.ts'

/** Unpredictable bytes that a seed of the hash has. */
export const SEED_BYTES: number = openKernel().kernel.seedBytes()
