/**
 * The similarity of two normalised keys: `(longer − distance) / longer`, with lengths in code points and the
 * Levenshtein distance; 1 if both are empty. For occasional use: takes time proportional to the product of the lengths.
 */
export function similarity(one: string, other: string): number {
  const a = codePoints(one)
  const b = codePoints(other)
  const longer = Math.max(a.length, b.length)
  return longer === 0 ? 1 : (longer - distance(a, b)) / longer
}

function codePoints(text: string): Uint32Array {
  return Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

/** The algorithm of Wagner and Fischer (1974), row by row. */
function distance(a: Uint32Array, b: Uint32Array): number {
  const row = Uint32Array.from({ length: b.length + 1 }, (_, j) => j)
  for (const [i, point] of a.entries()) {
    let diagonal = i
    row[0] = i + 1
    for (const [j, other] of b.entries()) {
      const above = row[j + 1] ?? 0
      row[j + 1] = Math.min(diagonal + (point === other ? 0 : 1), above + 1, (row[j] ?? 0) + 1)
      diagonal = above
    }
  }
  return row[b.length] ?? 0
}
