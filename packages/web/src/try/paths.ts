/** How deep and how wide to search items for paths. */
const MAX_DEPTH = 4
const MAX_PATHS = 60

/**
 * The dot paths that exist in these items, in order of appearance: suggestions for a path that matches nothing. Names
 * that contain a dot cannot be part of a path and are left out.
 * @param items JSON texts
 */
export function pathsIn(items: readonly string[]): string[] {
  const paths = new Set<string>()
  const walk = (value: unknown, path: readonly string[]): void => {
    if (path.length > 0) paths.add(path.join('.'))
    if (typeof value !== 'object' || value === null || path.length === MAX_DEPTH) return
    const members = Array.isArray(value) ? [['0', value[0]] as const].slice(0, value.length) : Object.entries(value)
    for (const [name, member] of members) {
      if (paths.size < MAX_PATHS && !name.includes('.')) walk(member, [...path, name])
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
/** Newer platforms pass the source text of a value to the reviver. */
const parse: (text: string, reviver: Reviver) => unknown = JSON.parse

/**
 * The value at a dot path of an item, as JSON text for display; empty if there is none. Numbers keep their digits where
 * the platform supports that.
 * @param item JSON text
 */
export function shownAt(item: string, path: string): string {
  try {
    return valueAt(item, path)
  } catch (error) {
    // Nested deeper than the platform can parse: the item itself is shown anyway.
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
