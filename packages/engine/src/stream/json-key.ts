import { canonicalJson } from '../json/canonical.ts'
import { type Path, resolve } from '../json/path.ts'
import { JsonScanner } from '../json/scan.ts'
import { textWithStrayBytes } from './lowercase.ts'

const encoder = new TextEncoder()

/**
 * What an item is compared by: the bytes of the item themselves when they are their own canonical form; else
 * a text, written as UTF-8. No text equals the other kind's bytes unless the values are equal.
 */
export type JsonKey = 'as it stands' | Uint8Array

/** The key of all items in which the path does not resolve; no value is written as nothing. */
const UNRESOLVED = new Uint8Array()

/** Reads one item (specification 2.2, json), or undefined when it is no JSON. */
export function readJsonKey(item: Uint8Array, path: Path): JsonKey | undefined {
  const { text, isUtf8 } = textWithStrayBytes(item)
  const scanner = new JsonScanner(text)
  if (scanner.valueEnd(0) !== text.length) return undefined
  const whole = path.segments.length === 0
  if (whole && scanner.plain && isUtf8) return 'as it stands'
  const value = whole ? { start: 0, end: text.length } : resolve(scanner, 0, path)
  if (value === undefined) return UNRESOLVED
  // A value with bytes that are no UTF-8 is compared as it stands.
  const stray = isUtf8 ? undefined : text.slice(value.start, value.end)
  if (stray !== undefined && LONE_SURROGATE.test(stray)) return encoder.encode(`stray ${spelled(stray)}`)
  return encoder.encode(spelled(canonicalJson(text, value.start, value.end)))
}

const LONE_SURROGATE = /\p{Surrogate}/u

/** Lone surrogates have no UTF-8: each is spelled as an escape, which a canonical text has of quotes and backslashes only. */
function spelled(text: string): string {
  if (!LONE_SURROGATE.test(text)) return text
  return text.replace(/\p{Surrogate}/gu, (lone) => `\\u${lone.charCodeAt(0).toString(16)}`)
}
