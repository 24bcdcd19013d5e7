/** How deep and how wide items are looked into for paths. */
const DEEPEST = 4
const MOST_PATHS = 60

/**
 * The dot paths that lead to something inside these items, in the order of their appearance: what somebody may have
 * meant by a path that leads nowhere. Names with a dot in them can't be said in a path and are left out.
 * @param items JSON texts
 */
export function pathsIn(items: readonly string[]): string[] {
  const paths = new Set<string>()
  const walk = (value: unknown, path: readonly string[]): void => {
    if (path.length > 0) paths.add(path.join('.'))
    if (typeof value !== 'object' || value === null || path.length === DEEPEST) return
    const members = Array.isArray(value) ? [['0', value[0]] as const].slice(0, value.length) : Object.entries(value)
    for (const [name, member] of members) {
      if (paths.size < MOST_PATHS && !name.includes('.')) walk(member, [...path, name])
    }
  }
  for (const item of items) walk(JSON.parse(item), [])
  return [...paths]
}

/** A number as it is written. */
class Digits {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown
/** Newer platforms tell a reviver how a value is written. */
const parse: (text: string, reviver: Reviver) => unknown = JSON.parse

/**
 * What stands at a dot path of an item, as JSON text to show; empty when the path leads nowhere. A number keeps its
 * digits where the platform tells them.
 * @param item JSON text
 */
export function shownAt(item: string, path: string): string {
  try {
    return valueAt(item, path)
  } catch (error) {
    // Deeper than the platform goes: the item itself shows it all the same.
    if (error instanceof RangeError) return ''
    throw error
  }
}

function valueAt(item: string, path: string): string {
  let value = parse(item, (_, each, context) =>
    typeof each === 'number' ? new Digits(context?.source ?? String(each)) : each,
  )
  for (const name of path.split('.')) {
    const container: object = typeof value === 'object' && value !== null && !(value instanceof Digits) ? value : {}
    const isThere = Object.hasOwn(container, name) && !(Array.isArray(container) && name === 'length')
    if (!isThere) return ''
    value = new Map<string, unknown>(Object.entries(container)).get(name)
  }
  return written(value)
}

function written(value: unknown): string {
  if (value instanceof Digits) return value.source
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`)
    .join(',')}}`
}
