/**
 * Bump allocation in a memory that only grows. `release` frees everything that a request took, all at once. Starts are
 * aligned to a cache line, and each range is followed by SLACK_BYTES that anyone may read, and overwrite when copying
 * whole vectors.
 */
export const SLACK_BYTES: u32 = 64

let top: usize = 0

/** The start of the next range; `release` to it frees everything allocated later. */
export function mark(): usize {
  if (top == 0) top = aligned(<u64>__heap_base + SLACK_BYTES)
  return top
}

export function release(to: usize): void {
  assert(to <= top)
  top = to
}

/** The start of this many uninitialised bytes; 0 if there is no memory for them. */
export function allocate(bytes: u64): usize {
  const start = mark()
  return extend(start, bytes) ? start : 0
}

/** Resizes the last range, at `start`, to `bytes` bytes. */
export function extend(start: usize, bytes: u64): bool {
  const end = <u64>start + bytes + SLACK_BYTES + 63
  if (end >= 0x100000000) return false
  const have = (<u64>memory.size()) << 16
  if (end > have && !growBy(<i32>((end - have + 0xffff) >> 16))) return false
  top = aligned(<u64>start + bytes + SLACK_BYTES)
  return true
}

/**
 * Grows by at least an eighth if possible: each time, the host creates a new buffer for the whole memory, and after a
 * few of them it collects garbage. Untouched pages take no physical memory.
 */
function growBy(pages: i32): bool {
  return memory.grow(max(pages, memory.size() >> 3)) >= 0 || memory.grow(pages) >= 0
}

/** Whether a range of this many bytes is the last one allocated. */
export function isLast(start: usize, bytes: u64): bool {
  return aligned(<u64>start + bytes + SLACK_BYTES) == top
}

/**
 * For assertions: whether this whole range has been allocated. A build without assertions still evaluates their
 * conditions, so functions that inspect memory must return true there.
 */
@inline
export function isGiven(start: usize, bytes: usize): bool {
  if (ASC_NO_ASSERT) return true
  return start >= __heap_base && <u64>start + bytes <= top
}

@inline
function aligned(address: u64): usize {
  return <usize>((address + 63) & ~63)
}
