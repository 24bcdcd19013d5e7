import { JsonScanner } from './scan.ts'

/** A JSON value where it stands in its text, known to be well formed. Not copied, not converted. */
export interface JsonValue {
  readonly text: string
  readonly start: number
  readonly end: number
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** A text that holds one JSON value, and the members that were asked for, if it is an object. */
export interface JsonDocument extends JsonValue {
  readonly members: ReadonlyMap<string, JsonValue>
}

const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * Reads a text that holds one JSON value (RFC 8259), or undefined when it does not. In the same pass those members
 * of an object are noted that bear one of the `names`.
 */
export function readJson(text: string, names: ReadonlySet<string> = NO_NAMES): JsonDocument | undefined {
  const scanner = new JsonScanner(text)
  const members = new Map<string, JsonValue>()
  const start = scanner.space(0)
  const end = text[start] === '{' ? objectEnd(scanner, start, names, members) : scanner.valueEnd(start)
  return end < 0 || scanner.space(end) !== text.length ? undefined : { text, start, end, members }
}

/** What a value is, told from its first character. */
export function kindOf({ text, start }: JsonValue): JsonKind {
  switch (text[start]) {
    case '{':
      return 'object'
    case '[':
      return 'array'
    case '"':
      return 'string'
    case 'n':
      return 'null'
    case 't':
    case 'f':
      return 'boolean'
    default:
      return 'number'
  }
}

/** A value as it is written. */
export function textOf({ text, start, end }: JsonValue): string {
  return text.slice(start, end)
}

/** What a string says, lone surrogates included. */
export function stringOf(value: JsonValue): string {
  const literal = textOf(value)
  return literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1)
}

/** Those members of an object that bear one of the names. Of a repeated member the last one counts. */
export function membersOf({ text, start }: JsonValue, names: ReadonlySet<string>): ReadonlyMap<string, JsonValue> {
  const members = new Map<string, JsonValue>()
  objectEnd(new JsonScanner(text), start, names, members)
  return members
}

/** Behind the object that begins at `start`, or -1. Notes its members of those names in `members`. */
function objectEnd(
  scanner: JsonScanner,
  start: number,
  names: ReadonlySet<string>,
  members: Map<string, JsonValue>,
): number {
  const { text } = scanner
  let at = scanner.space(start + 1)
  if (text[at] === '}') return at + 1
  for (;;) {
    const valueStart = scanner.nameEnd(at)
    const valueEnd = valueStart < 0 ? -1 : scanner.valueEnd(valueStart)
    if (valueEnd < 0) return -1
    const name = stringOf({ text, start: at, end: scanner.stringEnd(at) })
    if (names.has(name)) members.set(name, { text, start: valueStart, end: valueEnd })
    at = scanner.space(valueEnd)
    if (text[at] === '}') return at + 1
    if (text[at] !== ',') return -1
    at = scanner.space(at + 1)
  }
}
