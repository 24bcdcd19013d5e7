import { LINE_FEED, OPEN_BRACKET, skipSpace } from '../core/bytes.ts'
import { NotJson, nameOf } from '../core/not-json.ts'
import type { Space } from '../core/space.ts'
import { copyEnds, Ends } from './ends.ts'
import { FoundItems, Items } from './items.ts'
import { JsonFiles } from './json-files.ts'
import type { FoundArray, ModeRecord, Open, RequestData, Writing } from './mode.ts'
import { GivenOptions } from './options.ts'

/** How items are compared: `key` is a dot path, empty for the whole item. */
export interface JsonOptions {
  readonly key?: string
}

export const JSON_ITEMS: ModeRecord<'json', Required<JsonOptions>> = {
  ask: (given) => ({ mode: 'json', options: { key: new GivenOptions(given).string('key', '') } }),
  readArray: takeArray,
  place(space, { bytes, count, ends }, { key }) {
    const placed = space.place(bytes)
    const options = { key, layout: 'array', withSpace: false } as const
    const isFound = ends && key === ''
    return {
      splitter: isFound ? new FoundItems(space, options, new Ends(space, placed, ends)) : new Items(space, options),
      placed,
      from: placed + 1,
      to: placed + bytes.length,
      writing: writingTo(space),
      mostBytes: bytes.length + count,
    }
  },
}

export const openItems: Open<Required<JsonOptions>> = (space, { key }, { form }) => ({
  splitter: new JsonFiles(space, { key, isLines: false, withSpace: form === 'file' }),
  writing: writingTo(space),
})

function writingTo(space: Space): Writing {
  return {
    opening: '[',
    separator: ',',
    closing: ']',
    write: (items, at) => space.kernel.writeItems(space.items, items, at),
  }
}

function takeArray(space: Space, { bytes, count, ends }: FoundArray): RequestData {
  return { count, bytes, ends: copyEnds(space, ends, count, bytes) }
}

/**
 * The items of a JSON array. Takes ownership of the bytes.
 * @throws NotJson when the text is not a JSON array
 */
export function readItems(space: Space, bytes: Uint8Array<ArrayBuffer>): RequestData {
  const { kernel } = space
  const from = space.place(bytes)
  const to = from + bytes.length
  kernel.openScanner(space.allocate(bytes.length / 8 + 64), 0, 0)
  const start = skipSpace(space.bytes, from, to)
  const isArray = space.bytes[start] === OPEN_BRACKET
  const ends = space.allocate(2 * bytes.length)
  const end = (isArray ? kernel.readArray(start, ends) : kernel.readValue(start)) >>> 0
  const next = end === 0 ? kernel.faultPlace() >>> 0 : skipSpace(space.bytes, end, to)
  if (end === 0 || next < to) {
    const place = placeIn(space, from, next)
    throw new NotJson(next < to ? `unexpected ${nameOf(space.bytes[next] ?? 0)}` : 'the array does not end', place)
  }
  if (!isArray) throw new NotJson('this is not an array', placeIn(space, from, start))
  return takeArray(space, { bytes: bytes.subarray(start - from, end - from), count: kernel.itemCount() >>> 0, ends })
}

function placeIn(space: Space, from: number, at: number): { line: number; column: number } {
  const feeds = space.kernel.countLineFeeds(from, at)
  const lineStart = feeds === 0 ? from : space.bytes.lastIndexOf(LINE_FEED, at - 1) + 1
  return { line: feeds + 1, column: at - lineStart + 1 }
}
