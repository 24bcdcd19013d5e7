import { COMMA } from '../core/forms.ts'
import { NotJson, nameOf } from '../core/not-json.ts'
import type { Question } from '../core/questions.ts'
import type { Space } from '../core/space.ts'
import { type Member, type Members, memberText, memberValue, readMembers } from './read.ts'
import { inSpace } from './threads.ts'

export interface RequestBody {
  /** Undefined: absent, none of the three, or the body is no object. */
  readonly mode: Question['mode'] | undefined
  /** The member `options` as the JSON text that it is; undefined when absent. */
  readonly optionsText: string | undefined
  /** Undefined: absent, or of another type than the mode takes. */
  readonly data: RequestData | undefined
}

/** What a request is about, as a plain value that any thread can take over and run. */
export interface RequestData {
  /** Lines; rows, a header included; items. */
  readonly count: number
  /** Of lines and rows their text, of an array its bytes: a view of the body's own buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

const NAMES = ['data', 'mode', 'options'] as const
/** No spelling of a mode is longer, not even one of escapes alone. */
const LONGEST_MODE_BYTES = 64
const RETURN = 0x0d
const OPEN_BRACKET = 0x5b
const EVERY_ROW = 0xffff_ffff

/**
 * Reads a request's body (specification 2.1) and counts its rows. Undefined when it is not parseable JSON, or not
 * UTF-8. The bytes are taken over: what `data` holds stands in their buffer.
 */
export function readRequest(body: Uint8Array<ArrayBuffer>): RequestBody | undefined {
  return inSpace(undefined, (space) => {
    const read = readMembers(space, body, NAMES)
    if (read === undefined) return undefined
    const [data, mode, options] = read.members
    if (data === undefined || mode === undefined || options === undefined) return undefined
    const named = modeOf(space, mode)
    return {
      mode: named,
      optionsText: memberText(space, options),
      data: named === undefined || data.start === 0 ? undefined : dataOf(named, { space, read, data, body }),
    }
  })
}

/** Rows as they are billed (specification 8.1): the header is none. */
export function billedRows({ count }: RequestData, { mode, options }: Question): number {
  return mode === 'rows' && options.hasHeader && count > 0 ? count - 1 : count
}

function modeOf(space: Space, member: Member): Question['mode'] | undefined {
  if (member.end - member.start > LONGEST_MODE_BYTES) return undefined
  const value = memberValue(space, member)
  return value === 'lines' || value === 'rows' || value === 'json' ? value : undefined
}

interface Found {
  readonly space: Space
  readonly read: Members
  readonly data: Member
  readonly body: Uint8Array<ArrayBuffer>
}

function dataOf(mode: Question['mode'], { space, read, data, body }: Found): RequestData | undefined {
  if (mode === 'json') {
    if (space.bytes[data.start] !== OPEN_BRACKET) return undefined
    const at = read.markBytes + data.start - read.from
    return { count: data.count, bytes: body.subarray(at, at + data.end - data.start) }
  }
  if (data.textEnd === 0) return undefined
  const bytes = body.subarray(0, data.textEnd - read.text)
  bytes.set(space.bytes.subarray(read.text, data.textEnd))
  // Over HTTP a break at the very end is followed by one more, empty line.
  return { count: mode === 'lines' ? data.count + 1 : countRows(space, read.text, data.textEnd), bytes }
}

/** Lines or rows out of their text; the bytes are taken over. */
export function textData(mode: 'lines' | 'rows', bytes: Uint8Array<ArrayBuffer>): RequestData {
  return inSpace(undefined, (space) => {
    const from = space.place(bytes, 1)
    const countItems = mode === 'lines' ? countLines : countRows
    return { count: countItems(space, from, from + bytes.length), bytes }
  })
}

/**
 * The items of a text that is one JSON array; the bytes are taken over.
 * @throws NotJson
 */
export function arrayData(bytes: Uint8Array<ArrayBuffer>): RequestData {
  return inSpace(undefined, (space) => {
    const { kernel } = space
    const from = space.place(bytes)
    const to = from + bytes.length
    kernel.openScanner(space.allocate(bytes.length / 8 + 64), 0, 0)
    const start = skipSpace(space.bytes, from)
    const isArray = space.bytes[start] === OPEN_BRACKET
    const end = (isArray ? kernel.readArray(start) : kernel.readValue(start)) >>> 0
    const behind = end === 0 ? kernel.faultPlace() >>> 0 : skipSpace(space.bytes, end)
    if (end === 0 || behind < to) {
      const place = placeIn(space, from, behind)
      throw new NotJson(
        behind < to ? `unexpected ${nameOf(space.bytes[behind] ?? 0)}` : 'the array does not end',
        place,
      )
    }
    if (!isArray) throw new NotJson('this is no array', placeIn(space, from, start))
    return { count: kernel.itemCount() >>> 0, bytes: bytes.subarray(start - from, end - from) }
  })
}

/** Stops at the byte 0 behind the text at the latest. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

function placeIn(space: Space, from: number, at: number): { line: number; column: number } {
  const feeds = space.kernel.countFeeds(from, at)
  const lineStart = feeds === 0 ? from : space.bytes.lastIndexOf(0x0a, at - 1) + 1
  return { line: feeds + 1, column: at - lineStart + 1 }
}

/** A break at the very end is followed by one more, empty line: with a break behind it, it ends like the others. */
function countLines(space: Space, from: number, to: number): number {
  space.bytes[to] = RETURN
  return space.kernel.countLines(from, to + 1) >>> 0
}

function countRows(space: Space, from: number, to: number): number {
  return space.kernel.splitRows(0, EVERY_ROW, behindMark(space.bytes, from, to), to, true, COMMA) >>> 0
}

/** Behind a byte-order mark in front, if there is one. */
export function behindMark(bytes: Uint8Array, from: number, to: number): number {
  const isMarked = to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf
  return isMarked ? from + 3 : from
}
