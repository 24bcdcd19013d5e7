import type { Space } from '../core/space.ts'

/** A member of a body's object, as the kernel found it (assembly/core/body.ts). */
export interface Member {
  /** Where its value stands in the kernel's memory; both 0 when there is none. */
  readonly start: number
  readonly end: number
  /** Where the text of a decoded string ends, behind `Members.room`. */
  readonly textEnd: number
  /** Items of an array, and how many of them are strings; line breaks of a decoded string. */
  readonly count: number
  readonly strings: number
}

/** A body that is one JSON value; the members of its object that were asked for. */
export interface Members {
  /** Where the body's value begins in the kernel's memory, and in the body. */
  readonly from: number
  readonly markBytes: number
  /** Where the string of the first member was decoded to, or where the items of its array end: 32 bits each. */
  readonly room: number
  readonly members: readonly Member[]
}

const MEMBER_WORDS = 8
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const encoder = new TextEncoder()

/**
 * Reads a body, UTF-8 and JSON, whole. The first member that is asked for is decoded when it is a string; the
 * items of an array are found. A byte-order mark in front is skipped.
 * @returns undefined when the body cannot be parsed
 */
export function readMembers(space: Space, body: Uint8Array, names: readonly string[]): Members | undefined {
  const { kernel } = space
  const markBytes = BYTE_ORDER_MARK.every((byte, i) => body[i] === byte) ? BYTE_ORDER_MARK.length : 0
  const from = space.place(body.subarray(markBytes))
  const to = from + body.length - markBytes
  if (!kernel.isUtf8(from, to)) return undefined
  const room = space.allocate(2 * (to - from))
  kernel.openScanner(space.allocate((to - from) / 8 + 64), 0, 0)
  const table = layOutNames(space, names)
  if (!kernel.readBody(from, to, table, names.length, room)) return undefined
  const { words } = space
  const members = names.map((_, i): Member => {
    const [start = 0, end = 0, textEnd = 0, count = 0, strings = 0] = words.subarray(
      table / 4 + i * MEMBER_WORDS + 3,
      table / 4 + (i + 1) * MEMBER_WORDS,
    )
    return { start, end, textEnd, count, strings }
  })
  return { from, markBytes, room, members }
}

function layOutNames(space: Space, names: readonly string[]): number {
  const table = space.allocate(names.length * MEMBER_WORDS * 4)
  for (const [i, name] of names.entries()) {
    const bytes = encoder.encode(name)
    const at = space.place(bytes)
    space.words.set([at, bytes.length, i === 0 ? 1 : 0, 0, 0, 0, 0, 0], table / 4 + i * MEMBER_WORDS)
  }
  return table
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** A member's JSON text; undefined when there is none. */
export function memberText(space: Space, { start, end }: Member): string | undefined {
  return start === 0 ? undefined : decoder.decode(space.bytes.subarray(start, end))
}

/** A member's value, read by the platform; undefined when there is none. */
export function memberValue(space: Space, member: Member): unknown {
  const text = memberText(space, member)
  return text === undefined ? undefined : JSON.parse(text)
}
