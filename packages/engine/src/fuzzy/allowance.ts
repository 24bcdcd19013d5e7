/**
 * The largest distance d that still makes duplicates of two keys, the longer of `length` code points:
 * `(length - d) / length >= threshold`, in exactly this floating form, because its division is correctly
 * rounded (9 / 10 meets 0.9) where `1 - d / length` is not.
 */
export function allowedDistance(length: number, threshold: number): number {
  let distance = Math.floor(length * (1 - threshold))
  while (distance < length && (length - distance - 1) / length >= threshold) distance++
  while (distance > 0 && (length - distance) / length < threshold) distance--
  return distance
}
