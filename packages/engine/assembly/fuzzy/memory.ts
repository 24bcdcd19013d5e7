/**
 * Bump allocation: everything lives until the instance is dropped, so nothing is ever freed, and allocated memory is
 * zeroed. Starts are aligned to 64 bytes, with 16 spare bytes at the end for vector loads.
 */
let top: usize = 0

export function allocate(bytes: usize): usize {
  if (top == 0) top = aligned(__heap_base)
  const start = top
  top = aligned(start + bytes + 16)
  const have = (<usize>memory.size()) << 16
  if (top > have && memory.grow(<i32>((top - have + 0xffff) >> 16)) < 0) unreachable()
  return start
}

@inline
function aligned(address: usize): usize {
  return (address + 63) & ~63
}

@inline
export function u32At(base: usize, index: u32): u32 {
  return load<u32>(base + ((<usize>index) << 2))
}

@inline
export function setU32(base: usize, index: u32, value: u32): void {
  store<u32>(base + ((<usize>index) << 2), value)
}
