/**
 * The largest distance d at which two keys, the longer of which has `length` code points, are still duplicates:
 * `(length - d) / length >= threshold`, in exactly this floating-point form, because its division is correctly rounded
 * (9 / 10 reaches 0.9), whereas `1 - d / length` is not.
 */
export function allowedDistance(length: i32, threshold: f64): i32 {
  let distance = <i32>(<f64>length * (1 - threshold))
  while (distance < length && similarity(length, distance + 1) >= threshold) distance++
  while (distance > 0 && similarity(length, distance) < threshold) distance--
  return distance
}

@inline
function similarity(length: i32, distance: i32): f64 {
  return <f64>(length - distance) / <f64>length
}
