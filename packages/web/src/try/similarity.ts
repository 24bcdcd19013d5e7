/** A similarity in hundredths, never more than it is. */
export function hundredths(similarity: number): number {
  return Math.floor(similarity * 100 + 1e-9)
}
