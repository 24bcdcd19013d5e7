import { ITEM, type Space } from '../../src/core/space.ts'

/**
 * Puts an item into the kernel's list. The whole text is its key.
 * @returns the index of its first word
 */
export function putItem(space: Space, index: number, text: { start: number; end: number }): number {
  const { words } = space
  const item = space.item(index)
  words.fill(0, item, item + ITEM.words)
  words[item + ITEM.start] = words[item + ITEM.keyStart] = text.start
  words[item + ITEM.end] = words[item + ITEM.lineBreak] = words[item + ITEM.keyEnd] = text.end
  words[item + ITEM.next] = text.end
  return item
}
