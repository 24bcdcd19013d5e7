/**
 * Bump allocation in a memory that only grows. What a request took is given back all at once, by `release`.
 * Starts are aligned to a cache line; behind every stretch lie SLACK_BYTES that may be read, and written by copies
 * of whole vectors, but belong to nobody.
 */
export const SLACK_BYTES: u32 = 64

let top: usize = 0

/** Where the next stretch will stand; `release` to it gives back all that comes after. */
export function mark(): usize {
  if (top == 0) top = aligned(<u64>__heap_base + SLACK_BYTES)
  return top
}

export function release(to: usize): void {
  assert(to <= top)
  top = to
}

/** The start of this many bytes, not cleared; 0 when there is no memory for them. */
export function allocate(bytes: u64): usize {
  const start = mark()
  return extend(start, bytes) ? start : 0
}

/** Makes the stretch at `start`, the last one, end behind `bytes` bytes. */
export function extend(start: usize, bytes: u64): bool {
  const end = <u64>start + bytes + SLACK_BYTES + 63
  if (end >= 0x100000000) return false
  const have = <u64>memory.size() << 16
  if (end > have && !growBy(<i32>((end - have + 0xffff) >> 16))) return false
  top = aligned(<u64>start + bytes + SLACK_BYTES)
  return true
}

/**
 * An eighth more at a time where that can be had: the host makes a new buffer of all of the memory each time, and
 * collects garbage after some of them. What nobody has touched takes no memory of the machine.
 */
function growBy(pages: i32): bool {
  return memory.grow(max(pages, memory.size() >> 3)) >= 0 || memory.grow(pages) >= 0
}

/** Does this stretch of this many bytes end where the next one would begin? */
export function isLast(start: usize, bytes: u64): bool {
  return aligned(<u64>start + bytes + SLACK_BYTES) == top
}

/**
 * For assertions: was all of this stretch given to somebody? A build without assertions still works out what they
 * assert, so that what takes a look at the memory must say yes there by itself.
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
