/**
 * A request's body: one JSON value. Finds the members of its object that the host asks for; if a member is repeated,
 * the last one counts.
 */
import { QUOTE } from './bytes'
import { arrayCount, readArray, stringCount } from './json'
import { CLOSE_BRACE, memberValue, nameEquals, OPEN_BRACE, OPEN_BRACKET, readValue, skipSpace } from './scan'
import { decodeString, stringBreaks, stringEndAt } from './strings'

/** A member to look for. */
@unmanaged
class Member {
  /** Offset of its name from the first member. */
  name: u32
  nameLength: u32
  /**
   * 1: decode a string to `room`, or write the ends of an array's items there, so that neither has to be read twice.
   */
  isWanted: u32
  /** Where its value is; 0 if there is none. */
  start: u32
  end: u32
  /** The end of a decoded string's text. */
  textEnd: u32
  /** Number of items of an array, and of strings among them; line breaks of a decoded string. */
  count: u32
  strings: u32
}

/**
 * Reads the body from `at` to the zero byte at `to`. `room`: space for twice the body's bytes. Returns false if it is
 * not JSON.
 */
export function readBody(at: usize, to: usize, members: usize, memberCount: u32, room: usize): bool {
  at = skipSpace(at)
  const end = load<u8>(at) == OPEN_BRACE ? readObject(at, members, memberCount, room) : readValue(at)
  return end != 0 && skipSpace(end) == to
}

function readObject(at: usize, members: usize, memberCount: u32, room: usize): usize {
  at = skipSpace(at + 1)
  if (load<u8>(at) == CLOSE_BRACE) return at + 1
  while (true) {
    const start = memberValue(at)
    if (!start) return 0
    const member = namedMember(at, members, memberCount)
    at = member ? readMember(changetype<Member>(member), start, room) : readValue(start)
    if (!at) return 0
    at = skipSpace(at)
    const byte = load<u8>(at++)
    if (byte == CLOSE_BRACE) return at
    if (byte != 0x2c) return 0
    at = skipSpace(at)
  }
}

function namedMember(name: usize, members: usize, memberCount: u32): usize {
  for (let i: u32 = 0; i < memberCount; i++) {
    const member = changetype<Member>(members + <usize>i * offsetof<Member>())
    if (nameEquals(name, members + member.name, member.nameLength)) return changetype<usize>(member)
  }
  return 0
}

function readMember(member: Member, start: usize, room: usize): usize {
  const first = load<u8>(start)
  let end: usize
  member.count = member.strings = member.textEnd = 0
  if (member.isWanted && first == QUOTE) {
    member.textEnd = <u32>decodeString(start + 1, room)
    end = member.textEnd ? stringEndAt : 0
    member.count = stringBreaks
  } else if (first == OPEN_BRACKET) {
    end = readArray(start, member.isWanted ? room : 0)
    member.count = arrayCount
    member.strings = stringCount
  } else end = readValue(start)
  member.start = <u32>start
  member.end = <u32>end
  return end
}
