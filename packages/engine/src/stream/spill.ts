/**
 * Keeps bytes outside of memory, in parts that are appended to and, when all has been written, read from their
 * beginning, more than once. Part 0 takes most of the bytes.
 */
export interface Spill {
  /** The bytes may change once it returns. */
  write(part: number, bytes: Uint8Array): void
  /** In the order in which they were written, cut anywhere. */
  read(part: number): Iterable<Uint8Array>
}

/** Keys are parted by the first bits of their hashes. */
const PARTITION_BITS = 10
export const PARTITIONS: number = 2 ** PARTITION_BITS

export function partitionOf(hash0: number): number {
  return hash0 >>> (32 - PARTITION_BITS)
}

/** Items in their order, then a part of keys and one of verdicts for each partition. */
export const ITEMS_PART = 0
export const keysPart = (partition: number): number => 1 + partition
export const verdictsPart = (partition: number): number => 1 + PARTITIONS + partition
