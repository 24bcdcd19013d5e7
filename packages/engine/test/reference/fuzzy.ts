/** A reference implementation of fuzzy matching: the definition without any optimisation. */

export function referenceNormalize(text: string): string {
  const lower = text.normalize('NFC').toLowerCase()
  const bare = [...lower].filter((character) => !/^\p{P}$/u.test(character)).join('')
  const words = bare.split(/\s/u).filter((word) => word !== '')
  return words.sort((a, b) => compareCodePoints(codePoints(a), codePoints(b))).join(' ')
}

function compareCodePoints(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((point, i) => point !== b[i])
  if (at === -1) return a.length - b.length
  return (a[at] ?? -1) - (b[at] ?? -1)
}

export function codePoints(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

/** Levenshtein distance by the full table (Wagner and Fischer 1974), keeping two rows at a time. */
export function referenceDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let above = Uint32Array.from({ length: b.length + 1 }, (_, j) => j)
  let row = new Uint32Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    for (let j = 1; j <= b.length; j++) {
      const substituted = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row[j] = Math.min(substituted, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
    }
    ;[above, row] = [row, above]
  }
  return above[b.length] ?? 0
}

function referenceSimilarity(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const longer = Math.max(a.length, b.length)
  return longer === 0 ? 1 : (longer - referenceDistance(a, b)) / longer
}

/** For each key, the index of the first kept key that reaches the threshold, or its own index if there is none. */
export function referenceLeaders(keys: readonly string[], threshold: number): number[] {
  const texts = keys.map(codePoints)
  const kept: number[] = []
  return texts.map((text, index) => {
    const leader = kept.find((earlier) => referenceSimilarity(texts[earlier] ?? [], text) >= threshold)
    if (leader === undefined) kept.push(index)
    return leader ?? index
  })
}

export function referenceSurvivors(keys: readonly string[], threshold: number): number[] {
  return referenceLeaders(keys.map(referenceNormalize), threshold)
}
