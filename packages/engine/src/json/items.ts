import { Spans } from '../spans.ts'
import { judgeByKey, type ShouldStop, survivors, type Verdicts } from '../verdicts.ts'
import { canonicalJson } from './canonical.ts'
import { parsePath, resolve } from './path.ts'
import { JsonScanner } from './scan.ts'
import { type JsonValue, kindOf, readJson, textOf } from './value.ts'

/** A JSON array as the list of its items. */
export interface JsonItems {
  readonly count: number
  readonly text: string
  readonly spans: Spans
  /** Of each item: is every value in it its own canonical text? */
  readonly plain: readonly boolean[]
}

/** How items are compared: `key` is a dot path, empty for the whole item. */
export interface JsonMatching {
  readonly key: string
}

/** The key of all items in which the path does not resolve; no value is written as nothing. */
const UNRESOLVED = ''

/** Reads a text that holds one JSON array, or undefined when it holds none. */
export function readItems(text: string): JsonItems | undefined {
  const value = readJson(text)
  return value !== undefined && kindOf(value) === 'array' ? itemsOf(value) : undefined
}

/** The items of an array. */
export function itemsOf({ text, start }: JsonValue): JsonItems {
  const scanner = new JsonScanner(text)
  const spans = new Spans()
  const plain: boolean[] = []
  let at = scanner.space(start + 1)
  while (text[at] !== ']') {
    scanner.plain = true
    const end = scanner.valueEnd(at)
    spans.push(at, end)
    plain.push(scanner.plain)
    at = scanner.space(end)
    if (text[at] === ',') at = scanner.space(at + 1)
  }
  return { count: spans.count, text, spans, plain }
}

/** Decides which items stay. Throws `Stopped` when told to stop. */
export function judgeItems(items: JsonItems, { key }: JsonMatching, shouldStop?: ShouldStop): Verdicts {
  const { text, spans, plain } = items
  const path = parsePath(key)
  const scanner = new JsonScanner(text)
  const whole = path.segments.length === 0
  const keyOf = (item: number): string => {
    const start = spans.start(item)
    const value = whole ? { start, end: spans.end(item) } : resolve(scanner, start, path)
    if (value === undefined) return UNRESOLVED
    return plain[item] ? text.slice(value.start, value.end) : canonicalJson(text, value.start, value.end)
  }
  return judgeByKey(items.count, keyOf, shouldStop)
}

/** An item where it stands. */
export function itemValue({ text, spans }: JsonItems, item: number): JsonValue {
  return { text, start: spans.start(item), end: spans.end(item) }
}

/** The items that stay, as a JSON array: each the very text that it came as. */
export function writeItems(items: JsonItems, verdicts: Verdicts): string {
  return `[${survivors(verdicts, (item) => textOf(itemValue(items, item))).join(',')}]`
}
