import type { Space } from './space.ts'

const NO_ELEMENT = 0xffff_ffff
const SEGMENT_WORDS = 4
const encoder = new TextEncoder()

/**
 * Splits a dot path (specification 2.2, `key`) and writes its segments where the kernel reads them. The empty path
 * means the whole item and has no segments.
 */
export function writePath(space: Space, path: string): { at: number; length: number } {
  if (path === '') return { at: 0, length: 0 }
  const names = path.split('.')
  const written = names.map((name) => encoder.encode(canonicalName(name)))
  const textBytes = written.reduce((sum, name) => sum + name.length, 0)
  const at = space.allocate(names.length * SEGMENT_WORDS * 4)
  let text = space.allocate(textBytes)
  const { bytes, words } = space
  for (const [i, name] of written.entries()) {
    const segment = at / 4 + i * SEGMENT_WORDS
    bytes.set(name, text)
    words.set([text, name.length, elementNamed(names[i] ?? ''), 0], segment)
    text += name.length
  }
  return { at, length: names.length }
}

/** Only quotes, backslashes and lone surrogates are escaped: see the kernel's canonical strings. */
function canonicalName(name: string): string {
  return name.replace(/["\\]/g, '\\$&').replace(/\p{Surrogate}/gu, (lone) => `\\u${lone.charCodeAt(0).toString(16)}`)
}

/** The array index that a segment denotes: decimal digits without leading zeros. */
function elementNamed(name: string): number {
  return name.length <= 9 && /^(0|[1-9][0-9]*)$/.test(name) ? Number(name) : NO_ELEMENT
}
