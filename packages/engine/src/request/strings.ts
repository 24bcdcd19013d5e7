import { OPEN_BRACKET } from '../core/bytes.ts'
import { memberNames, readMembers } from './read.ts'
import { inSpace } from './threads.ts'

/** The member of a body that must be an array of strings. */
export type Strings =
  | { readonly kind: 'unparseable' }
  /** Not an object, no such member, not an array, or an array with other values. */
  | { readonly kind: 'other' }
  | { readonly kind: 'strings'; readonly count: number; strings(): string[] }

/** Reads the member `name` of a JSON body. Strings are created on demand, with lone surrogates preserved. */
export function readStrings(body: Uint8Array<ArrayBuffer>, name: string): Strings {
  return inSpace(undefined, (space): Strings => {
    const read = readMembers(space, body, memberNames(name))
    if (read === undefined) return { kind: 'unparseable' }
    const [member] = read.members
    if (member === undefined || member.start === 0 || space.bytes[member.start] !== OPEN_BRACKET)
      return { kind: 'other' }
    if (member.count !== member.strings) return { kind: 'other' }
    const at = read.markBytes + member.start - read.from
    const bytes = body.subarray(at, at + member.end - member.start)
    return { kind: 'strings', count: member.count, strings: () => readList(bytes) }
  })
}

function readList(bytes: Uint8Array): string[] {
  const list: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return Array.isArray(list) ? list.map(String) : []
}
