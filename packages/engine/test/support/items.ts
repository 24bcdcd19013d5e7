import { ITEM, type Space } from '../../src/core/space.ts'

/** Puts an item whose text stands there at a place of the list; it is its own key. Returns its first word. */
export function putItem(space: Space, index: number, text: { start: number; end: number }): number {
  const { words } = space
  const item = space.item(index)
  words.fill(0, item, item + ITEM.words)
  words[item + ITEM.start] = words[item + ITEM.keyStart] = text.start
  words[item + ITEM.end] = words[item + ITEM.lineBreak] = words[item + ITEM.keyEnd] = text.end
  words[item + ITEM.next] = text.end
  return item
}
