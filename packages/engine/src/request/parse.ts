import { COMMA } from '../core/forms.ts'
import { NotJson, nameOf } from '../core/not-json.ts'
import type { Question } from '../core/questions.ts'
import type { Space } from '../core/space.ts'
import { type Member, type Members, memberNames, memberText, memberValue, readMembers } from './read.ts'
import { inSpace } from './threads.ts'

export interface RequestBody {
  /** Undefined if it is absent or not a known mode, or if the body is not an object. */
  readonly mode: Question['mode'] | undefined
  /** The member `options` as JSON text; undefined if absent. */
  readonly optionsText: string | undefined
  /** Undefined if it is absent, or not of the type that the mode requires. */
  readonly data: RequestData | undefined
}

/** The list of a request, as a plain value that any thread can take over and run. */
export interface RequestData {
  /** Number of lines, of rows including a header, or of items. */
  readonly count: number
  /** The text of lines or rows, or the bytes of an array: a view of the body's own buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /**
   * Where each row or item ends in `bytes`, as the kernel notes it (assembly/core/item.ts), so that the list need not
   * be scanned again. Undefined for lines, and where it would take more memory than the list.
   */
  readonly ends: Uint32Array<ArrayBuffer> | undefined
}

const NAMES = memberNames('data', 'mode', 'options')
/** No spelling of a mode is longer, not even one made only of escapes. */
const LONGEST_MODE_BYTES = 64
const RETURN = 0x0d
const END_BYTES = Uint32Array.BYTES_PER_ELEMENT
const OPEN_BRACKET = 0x5b
const EVERY_ROW = 0xffff_ffff

/**
 * Parses a request's body (specification 2.1) and counts its entries. Undefined if the body is not JSON or not UTF-8.
 * Takes ownership of the bytes: `data` refers to their buffer.
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

/** The number of billed entries (specification 8.1), which excludes a header. */
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
    const bytes = body.subarray(at, at + data.end - data.start)
    return { count: data.count, bytes, ends: copyEnds(space, read.room, data.count, bytes) }
  }
  if (data.textEnd === 0) return undefined
  const bytes = body.subarray(0, data.textEnd - read.room)
  bytes.set(space.bytes.subarray(read.room, data.textEnd))
  // Over HTTP a break at the very end starts one more, empty line.
  if (mode === 'lines') return { count: data.count + 1, bytes, ends: undefined }
  return findRows(space, read.room, bytes)
}

/** Creates lines or rows from their text; takes ownership of the bytes. */
export function textData(mode: 'lines' | 'rows', bytes: Uint8Array<ArrayBuffer>): RequestData {
  return inSpace(undefined, (space) => {
    const from = space.place(bytes, 1)
    if (mode === 'rows') return findRows(space, from, bytes)
    // With a break after it, the line that follows a break at the very end ends like the others.
    const to = from + bytes.length + 1
    space.bytes[to - 1] = RETURN
    return { count: space.kernel.countLines(from, to) >>> 0, bytes, ends: undefined }
  })
}

/** Finds the rows of a text, which is in the space as well. */
function findRows(space: Space, from: number, bytes: Uint8Array<ArrayBuffer>): RequestData {
  const to = from + bytes.length
  const ends = space.allocate(END_BYTES * bytes.length)
  const first = afterByteOrderMark(space.bytes, from, to)
  const count = space.kernel.splitRows(0, EVERY_ROW, first, to, true, COMMA, ends) >>> 0
  return { count, bytes, ends: copyEnds(space, ends, count, bytes) }
}

function copyEnds(space: Space, ends: number, count: number, list: Uint8Array): RequestData['ends'] {
  return END_BYTES * count > list.length ? undefined : space.words.slice(ends / END_BYTES, ends / END_BYTES + count)
}

/**
 * Creates items from the text of a JSON array; takes ownership of the bytes.
 * @throws NotJson when the text is not a JSON array
 */
export function arrayData(bytes: Uint8Array<ArrayBuffer>): RequestData {
  return inSpace(undefined, (space) => {
    const { kernel } = space
    const from = space.place(bytes)
    const to = from + bytes.length
    kernel.openScanner(space.allocate(bytes.length / 8 + 64), 0, 0)
    const start = skipSpace(space.bytes, from)
    const isArray = space.bytes[start] === OPEN_BRACKET
    const ends = space.allocate(2 * bytes.length)
    const end = (isArray ? kernel.readArray(start, ends) : kernel.readValue(start)) >>> 0
    const next = end === 0 ? kernel.faultPlace() >>> 0 : skipSpace(space.bytes, end)
    if (end === 0 || next < to) {
      const place = placeIn(space, from, next)
      throw new NotJson(next < to ? `unexpected ${nameOf(space.bytes[next] ?? 0)}` : 'the array does not end', place)
    }
    if (!isArray) throw new NotJson('this is not an array', placeIn(space, from, start))
    const count = kernel.itemCount() >>> 0
    const list = bytes.subarray(start - from, end - from)
    return { count, bytes: list, ends: copyEnds(space, ends, count, list) }
  })
}

/** Stops at the zero byte after the text, if not before. */
function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

function placeIn(space: Space, from: number, at: number): { line: number; column: number } {
  const feeds = space.kernel.countLineFeeds(from, at)
  const lineStart = feeds === 0 ? from : space.bytes.lastIndexOf(0x0a, at - 1) + 1
  return { line: feeds + 1, column: at - lineStart + 1 }
}

/** @returns where the text begins: after a byte-order mark, if there is one */
export function afterByteOrderMark(bytes: Uint8Array, from: number, to: number): number {
  const isMarked = to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf
  return isMarked ? from + 3 : from
}
