import { grouped } from '@keepfirst/protocol'

const MAX_LISTED = 8

/**
 * The message for a path that no item has; suggests one that would match.
 * @param path the path as typed
 * @param count the number of items
 * @param first the first item, undefined if it is not known
 */
export function noItemHas(path: string, count: number, first: unknown): string {
  const which = `--key ${path} names nothing in any of ${grouped(count)} items`
  const meant = candidates(path)
    .flatMap((candidate) => [candidate, asSpelled(candidate, first)])
    .find((candidate) => candidate !== undefined && candidate !== path && resolves(candidate, first))
  if (meant !== undefined) return `${which}; write ${meant}`
  const members = isObject(first) ? Object.keys(first) : []
  if (members.length === 0) return `${which}; a path is written a.b or a.0.b`
  const shown = members.slice(0, MAX_LISTED).join(', ')
  return `${which}; the first one has ${shown}${members.length > MAX_LISTED ? ', …' : ''}`
}

/** Our form of a path written for jq, JSONPath, JSON Pointer or JavaScript. */
function candidates(path: string): string[] {
  const dotted = path.startsWith('/')
    ? path.slice(1).split('/').join('.').replaceAll('~1', '/').replaceAll('~0', '~')
    : path
        .replace(/^[$@]/, '')
        .replaceAll(
          /\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]/g,
          (_, double, single, index) => `.${double ?? single ?? index}`,
        )
        .replaceAll(/"([^"]*)"/g, '$1')
  const plain = dotted.replace(/^(?:\.?\[(?:\*|)\]|\.\*|\.)+/, '').replace(/\?$/, '')
  // Users may start from the array that holds the items, or from an object around it.
  return [path, plain, plain.replace(/^[^.]+\.(?:\d+\.)?/, '')]
}

/** The path as the item spells it, matched without regard to case. */
function asSpelled(path: string, item: unknown): string | undefined {
  let at = item
  const spelled: string[] = []
  for (const segment of path.split('.')) {
    if (!isObject(at)) return undefined
    const name = Object.keys(at).find((one) => one.toLowerCase() === segment.toLowerCase())
    if (name === undefined) return undefined
    spelled.push(name)
    at = at[name]
  }
  return spelled.join('.')
}

function resolves(path: string, item: unknown): boolean {
  let at = item
  for (const segment of path.split('.')) {
    if (!isObject(at) || !Object.hasOwn(at, segment)) return false
    at = at[segment]
  }
  return path !== ''
}

/** Includes arrays, whose elements are addressed by index. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** The first item of the pending output, which is either the start of an array or a value of its own. */
export function firstItemOf(out: Uint8Array): unknown {
  const text = new TextDecoder().decode(out)
  const { value } = parsed(text) ?? parsed(`${text}]`) ?? {}
  return Array.isArray(value) ? value[0] : value
}

function parsed(text: string): { value?: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}
