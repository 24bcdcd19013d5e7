import { OPEN_BRACKET } from '../core/bytes.ts'
import type { Space } from '../core/space.ts'
import { isMode, MODES, type Mode, type Question } from '../modes/index.ts'
import type { RequestData } from '../modes/mode.ts'
import { type Member, type Members, memberNames, memberText, memberValue, readMembers } from './read.ts'
import { inSpace } from './threads.ts'

export interface RequestBody {
  /** Undefined if it is absent or not a known mode, or if the body is not an object. */
  readonly mode: Mode | undefined
  /** The member `options` as JSON text; undefined if absent. */
  readonly optionsText: string | undefined
  /** Undefined if it is absent, or not of the type that the mode requires. */
  readonly data: RequestData | undefined
}

const NAMES = memberNames('data', 'mode', 'options')
/** No spelling of a mode is longer, not even one made only of escapes. */
const LONGEST_MODE_BYTES = 64

/**
 * Parses a request's body (specification 2.1) and counts its entries. Undefined if the body is not JSON or not UTF-8.
 * Takes ownership of the bytes and of their whole buffer: `data` refers to it, and the answer may overwrite it.
 * @throws NoMemory when the body does not fit
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

function modeOf(space: Space, member: Member): Mode | undefined {
  if (member.end - member.start > LONGEST_MODE_BYTES) return undefined
  const value = memberValue(space, member)
  return isMode(value) ? value : undefined
}

interface Found {
  readonly space: Space
  readonly read: Members
  readonly data: Member
  readonly body: Uint8Array<ArrayBuffer>
}

function dataOf(mode: Mode, { space, read, data, body }: Found): RequestData | undefined {
  const record = MODES[mode]
  if (record.readString && data.textEnd !== 0) {
    const bytes = body.subarray(0, data.textEnd - read.room)
    bytes.set(space.bytes.subarray(read.room, data.textEnd))
    return record.readString(space, { bytes, at: read.room, breaks: data.count })
  }
  if (record.readArray && space.bytes[data.start] === OPEN_BRACKET) {
    const at = read.markBytes + data.start - read.from
    const bytes = body.subarray(at, at + data.end - data.start)
    return record.readArray(space, { bytes, count: data.count, ends: read.room })
  }
  return undefined
}
