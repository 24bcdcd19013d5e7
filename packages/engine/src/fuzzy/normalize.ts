const PUNCTUATION = /\p{P}+/gu
const WHITE_SPACE = /\s+/u
const SURROGATE = /[\ud800-\udfff]/

/**
 * Normalises a key for comparison: Unicode NFC, lower case, no punctuation (general category P), words in code point
 * order, separated by single spaces. "Smith, John" and "john SMITH" give the same key.
 *
 * Lower-casing precedes the removal of punctuation, because whether a sigma is final depends on the character after it.
 */
export function normalizeKey(text: string): string {
  const bare = text.normalize('NFC').toLowerCase().replace(PUNCTUATION, '').trim()
  const words = bare.split(WHITE_SPACE)
  if (words.length === 1) return bare
  // Code units sort like code points, except for surrogates (from U+D800 on), which stand for characters beyond U+FFFF.
  return words.sort(SURROGATE.test(bare) ? byCodePoint : undefined).join(' ')
}

function byCodePoint(a: string, b: string): number {
  const left = [...a]
  const right = [...b]
  const shared = Math.min(left.length, right.length)
  for (let i = 0; i < shared; i++) {
    const difference = (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
