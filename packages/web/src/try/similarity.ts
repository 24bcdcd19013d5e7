/** A similarity in hundredths, rounded down. */
export function hundredths(similarity: number): number {
  return Math.floor(similarity * 100 + 1e-9)
}
