import { JsonScanner } from './scan.ts'

/** A JSON value where it stands in its text, known to be well formed. Not copied, not converted. */
export interface JsonValue {
  readonly text: string
  readonly start: number
  readonly end: number
}

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** Reads a text that holds one JSON value (RFC 8259), or undefined when it does not. */
export function readJson(text: string): JsonValue | undefined {
  const scanner = new JsonScanner(text)
  const start = scanner.space(0)
  const end = scanner.valueEnd(start)
  return end < 0 || scanner.space(end) !== text.length ? undefined : { text, start, end }
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
export function membersOf({ text, start }: JsonValue, names: ReadonlySet<string>): Map<string, JsonValue> {
  const scanner = new JsonScanner(text)
  const members = new Map<string, JsonValue>()
  let at = scanner.space(start + 1)
  while (text[at] !== '}') {
    const nameStart = at
    const nameEnd = scanner.stringEnd(nameStart)
    const valueStart = scanner.nameEnd(nameStart)
    const valueEnd = scanner.valueEnd(valueStart)
    const name = stringOf({ text, start: nameStart, end: nameEnd })
    if (names.has(name)) members.set(name, { text, start: valueStart, end: valueEnd })
    at = scanner.space(valueEnd)
    if (text[at] === ',') at = scanner.space(at + 1)
  }
  return members
}
