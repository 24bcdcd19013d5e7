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
