/** One item of the input: where its bytes, its line break and its key stand, and what was found out about it. */
@unmanaged
export class Item {
  start: u32
  end: u32
  /** Its line break: from here up to `next`, nothing at the end of a file without one. */
  lineBreak: u32
  next: u32
  keyStart: u32
  keyEnd: u32
  hash0: u32
  hash1: u32
  hash2: u32
  hash3: u32
  /** 1: a double quote stands somewhere in it. */
  quoted: u32
  /** 0: dropped, or not judged yet; 1: survives. */
  kept: u32
}

// @ts-ignore: decorator
@inline
export function itemAt(items: usize, index: u32): Item {
  return changetype<Item>(items + <usize>index * offsetof<Item>())
}

export function setItem(item: Item, start: usize, end: usize, next: usize): void {
  item.start = <u32>start
  item.end = <u32>end
  item.lineBreak = <u32>end
  item.next = <u32>next
  item.keyStart = <u32>start
  item.keyEnd = <u32>end
  item.quoted = 0
  item.kept = 0
}
