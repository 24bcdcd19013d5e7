/** The slow twin of fuzzy matching: the definition itself, with nothing left out and nothing clever. */

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

/** Levenshtein distance in code points, by the whole table (Wagner and Fischer 1974). */
export function referenceDistance(a: string, b: string): number {
  const left = codePoints(a)
  const right = codePoints(b)
  let row = Array.from({ length: right.length + 1 }, (_, j) => j)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}

export function referenceSimilarity(a: string, b: string): number {
  const longer = Math.max(codePoints(a).length, codePoints(b).length)
  return longer === 0 ? 1 : (longer - referenceDistance(a, b)) / longer
}

/** Per row, the first kept row that reaches the threshold; itself when there is none. */
export function referenceSurvivors(keys: readonly string[], threshold: number): number[] {
  const normalized = keys.map(referenceNormalize)
  const kept: number[] = []
  return normalized.map((key, row) => {
    const survivor = kept.find((earlier) => referenceSimilarity(normalized[earlier] ?? '', key) >= threshold)
    if (survivor === undefined) kept.push(row)
    return survivor ?? row
  })
}
