import { ITEM, NoMemory, type Space } from './space.ts'
import type { Splitter } from './splitter.ts'

/**
 * Judges the first `count` items of the space by their keys: the first item with each key is kept. Positions start at
 * `position`.
 * @throws NoMemory when the table of keys cannot grow
 */
export function judgeBatch(space: Space, splitter: Splitter, count: number, position: number): void {
  splitter.setKeys(count)
  space.hashKeys(count)
  if (space.kernel.getOrInsert(space.items, count, position) !== count) throw new NoMemory('no memory for more keys')
}

/** Where the item after the first `count` items begins. */
export function endOfItems(space: Space, count: number): number {
  return space.words[space.item(count - 1) + ITEM.next] ?? 0
}
