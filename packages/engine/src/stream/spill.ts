/**
 * Stores bytes outside memory, in parts that are appended to and, once everything is written, read from the start,
 * possibly several times. Part 0 gets most of the bytes.
 */
export interface Spill {
  /** The caller may reuse the bytes afterwards. */
  write(part: number, bytes: Uint8Array): void
  /** Yields the bytes in the order in which they were written, in chunks of any size. */
  read(part: number): Iterable<Uint8Array>
}

/** Keys are partitioned by the first bits of their hashes. */
const PARTITION_BITS = 10
export const PARTITIONS: number = 2 ** PARTITION_BITS

/** The partition of a key, given the first word of its hash. */
export function partitionOf(hash0: number): number {
  return hash0 >>> (32 - PARTITION_BITS)
}

/** Items in order; then, for each partition, a part for keys and one for verdicts. */
export const ITEMS_PART = 0
export const keysPart = (partition: number): number => 1 + partition
export const verdictsPart = (partition: number): number => 1 + PARTITIONS + partition
