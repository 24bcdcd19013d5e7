import { closerOf, type JsonScanner } from './scan.ts'

/** A dot path, ready to be looked up in many items. */
export interface Path {
  readonly segments: readonly Segment[]
}

interface Segment {
  readonly name: string
  /** The array element that the segment names, or -1. */
  readonly element: number
}

/** Cuts a path at its dots (specification 2.2, `key`). The empty path names the whole item: it has no segment. */
export function parsePath(path: string): Path {
  if (path === '') return { segments: [] }
  return { segments: path.split('.').map((name) => ({ name, element: elementNamed(name) })) }
}

function elementNamed(name: string): number {
  // No text holds an element whose number needs more than fifteen digits.
  return name.length <= 15 && /^(0|[1-9][0-9]*)$/.test(name) ? Number(name) : -1
}

const COMMA = 0x2c
const CLOSE_BRACE = 0x7d
const CLOSE_BRACKET = 0x5d
/** In place of an element's number: the container is an object. */
const OBJECT = -1

/**
 * Where the value stands that the path names inside the item at `start`, or undefined when it does not resolve.
 *
 * One pass over the item, however long the path: a value that the path does not lead into is stepped over, one
 * that it leads into is entered, and after it the rest of its container is still looked at, because of a member
 * that is repeated the last one counts.
 */
export function resolve(
  scanner: JsonScanner,
  start: number,
  { segments }: Path,
): { readonly start: number; readonly end: number } | undefined {
  const { text } = scanner
  // The containers that the path leads through: `OBJECT`, or the number of an array's next element.
  const entered: number[] = []
  let found: { start: number; end: number } | undefined
  let at = start
  for (;;) {
    // At `at` a value begins that the first segments name, as many as containers have been entered.
    found = undefined
    const closer = closerOf(text.charCodeAt(at))
    if (entered.length === segments.length) {
      found = { start: at, end: scanner.valueEnd(at) }
      at = found.end
    } else if (closer === 0) at = scanner.valueEnd(at)
    else {
      entered.push(closer === CLOSE_BRACE ? OBJECT : 0)
      at += 1
    }
    // On to the next member that the path names, out of the containers that end on the way.
    for (let named = false; !named; ) {
      const next = entered.at(-1)
      if (next === undefined) return found
      at = scanner.space(at)
      const code = text.charCodeAt(at)
      if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
        entered.pop()
        at += 1
        continue
      }
      if (code === COMMA) at = scanner.space(at + 1)
      const segment = segments[entered.length - 1]
      if (next === OBJECT) {
        const value = scanner.nameEnd(at)
        named = segment !== undefined && isName(scanner, at, segment.name)
        at = value
      } else {
        named = segment?.element === next
        entered[entered.length - 1] = next + 1
      }
      if (!named) at = scanner.valueEnd(at)
    }
  }
}

/** Does the string at `start` say `name`? */
function isName(scanner: JsonScanner, start: number, name: string): boolean {
  const end = scanner.stringEnd(start)
  const length = end - start - 2
  if (length < name.length) return false
  const literal = scanner.text.slice(start, end)
  if (literal.includes('\\')) return JSON.parse(literal) === name
  return length === name.length && scanner.text.startsWith(name, start + 1)
}
