import { lengthOf, pointsOf } from './keys'
import { allocate, setU32, u32At } from './memory'
import { spend } from './pause'

/**
 * The class bound: keys that differ in code points may have the same classes, never the reverse, so the distance
 * between class texts never exceeds the true one. What is found by classes is verified here on the code points: row by
 * row, within the band of a distance of at most k (Ukkonen 1985).
 */
let row: usize = 0

export function preparePoints(longest: i32): void {
  row = allocate((<usize>(longest + 1)) << 2)
}

export function pointsWithin(a: u32, b: u32, k: i32): bool {
  const n = lengthOf(a)
  const m = lengthOf(b)
  const textA = pointsOf(a)
  const textB = pointsOf(b)
  const tooFar = k + 1
  if (abs(m - n) > k) return false
  for (let j = 0; j <= min(m, k); j++) setU32(row, j, j)
  for (let i = 1; i <= n; i++) {
    const from = max(1, i - k)
    const to = min(m, i + k)
    const point = u32At(textA, i - 1)
    let diagonal = <i32>u32At(row, from - 1)
    let left = from == 1 ? i : tooFar
    let best = left
    setU32(row, from - 1, left)
    for (let j = from; j <= to; j++) {
      const above = j == i + k ? tooFar : <i32>u32At(row, j)
      left = min(diagonal + i32(point != u32At(textB, j - 1)), min(above, left) + 1)
      diagonal = above
      setU32(row, j, left)
      best = min(best, left)
    }
    if (best > k) return false
    spend(to - from + 2)
  }
  return <i32>u32At(row, m) <= k
}
