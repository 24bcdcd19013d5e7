import { byteOrderMarkEnd } from '../core/bytes.ts'
import type { Space } from '../core/space.ts'

/** A member of a body's object, as the kernel found it (assembly/core/body.ts). */
export interface Member {
  /** Where its value is in the kernel's memory; both 0 if there is none. */
  readonly start: number
  readonly end: number
  /** The end of a decoded string's text, which starts at `Members.room`. */
  readonly textEnd: number
  /** Number of items of an array, and of strings among them; line breaks of a decoded string. */
  readonly count: number
  readonly strings: number
}

/** The requested members of a body that is one JSON value. */
export interface Members {
  /** Where the body's value begins in the kernel's memory, and in the body. */
  readonly from: number
  readonly markBytes: number
  /** Where the string of the first member was decoded to, or where the ends of its array's items are: 32 bits each. */
  readonly room: number
  readonly members: readonly Member[]
}

const MEMBER_WORDS = 8
const encoder = new TextEncoder()

/** The names of the requested members, in the form that the kernel takes (assembly/core/body.ts). */
export interface MemberNames {
  readonly count: number
  readonly table: Uint8Array
}

/** Created once for all bodies; the first member is the one that is decoded. */
export function memberNames(...names: readonly string[]): MemberNames {
  const texts = names.map((name) => encoder.encode(name))
  const tableBytes = 4 * MEMBER_WORDS * names.length
  const table = new Uint8Array(tableBytes + texts.reduce((sum, { length }) => sum + length, 0))
  const words = new Uint32Array(table.buffer, 0, MEMBER_WORDS * names.length)
  let at = tableBytes
  for (const [i, text] of texts.entries()) {
    words.set([at, text.length, i === 0 ? 1 : 0], MEMBER_WORDS * i)
    table.set(text, at)
    at += text.length
  }
  return { count: names.length, table }
}

/**
 * Reads a whole body of UTF-8 JSON. The first requested member is decoded if it is a string; the items of an array are
 * found. A leading byte-order mark is skipped.
 * @returns undefined if the body cannot be parsed
 */
export function readMembers(space: Space, body: Uint8Array, names: MemberNames): Members | undefined {
  const { kernel } = space
  const markBytes = byteOrderMarkEnd(body, 0, body.length, true)
  const from = space.place(body.subarray(markBytes))
  const to = from + body.length - markBytes
  if (!kernel.isUtf8(from, to)) return undefined
  const room = space.allocate(2 * (to - from))
  kernel.openScanner(space.allocate((to - from) / 8 + 64), 0, 0)
  const table = space.place(names.table)
  if (!kernel.readBody(from, to, table, names.count, room)) return undefined
  const { words } = space
  const members: Member[] = []
  for (let at = table >>> 2; members.length < names.count; at += MEMBER_WORDS) {
    const [start = 0, end = 0, textEnd = 0] = [words[at + 3], words[at + 4], words[at + 5]]
    members.push({ start, end, textEnd, count: words[at + 6] ?? 0, strings: words[at + 7] ?? 0 })
  }
  return { from, markBytes, room, members }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A member's JSON text; undefined if there is none. */
export function memberText(space: Space, { start, end }: Member): string | undefined {
  return start === 0 ? undefined : decoder.decode(space.bytes.subarray(start, end))
}

/** A member's value, parsed by the platform; undefined if there is none. */
export function memberValue(space: Space, member: Member): unknown {
  const text = memberText(space, member)
  return text === undefined ? undefined : JSON.parse(text)
}
