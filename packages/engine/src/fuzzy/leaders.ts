import { type ShouldStop, Stopped } from '../verdicts.ts'
import { allowedDistance } from './allowance.ts'

/** Steps of the inner loops between two questions whether to stop: some tens of milliseconds. */
const STEPS_BETWEEN_QUESTIONS = 10_000_000

/**
 * For each of the distinct keys, in order, the first kept key that reaches the threshold: itself when it is kept.
 *
 * @returns Positions in `keys`.
 * @throws Stopped once `shouldStop` answers true.
 */
export function findLeaders(keys: readonly string[], threshold: number, shouldStop: ShouldStop): Int32Array {
  const texts = keys.map((key) => Uint32Array.from(key, (character) => character.codePointAt(0) ?? 0))
  const pause = pauses(shouldStop)
  const leaderOf = new Int32Array(keys.length)
  const kept: number[] = []
  texts.forEach((text, index) => {
    const leader = kept.find((candidate) => {
      const other = texts[candidate] ?? text
      pause(1)
      return isWithin(text, other, allowedDistance(Math.max(text.length, other.length), threshold), pause)
    })
    leaderOf[index] = leader ?? index
    if (leader === undefined) kept.push(index)
  })
  return leaderOf
}

function pauses(shouldStop: ShouldStop): (steps: number) => void {
  let left = STEPS_BETWEEN_QUESTIONS
  return (steps) => {
    left -= steps
    if (left > 0) return
    left = STEPS_BETWEEN_QUESTIONS
    if (shouldStop()) throw new Stopped()
  }
}

/** Whether the edit distance is at most `allowed`, by the rows of a band around the diagonal (Ukkonen 1985). */
function isWithin(a: Uint32Array, b: Uint32Array, allowed: number, pause: (steps: number) => void): boolean {
  const tooFar = allowed + 1
  if (Math.abs(a.length - b.length) > allowed) return false
  const row = Uint32Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, tooFar))
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - allowed)
    const to = Math.min(b.length, i + allowed)
    let diagonal = row[from - 1] ?? tooFar
    let left = from === 1 ? Math.min(i, tooFar) : tooFar
    let best = left
    row[from - 1] = left
    for (let j = from; j <= to; j++) {
      const above = j === i + allowed ? tooFar : (row[j] ?? tooFar)
      left = Math.min(diagonal + (a[i - 1] === b[j - 1] ? 0 : 1), above + 1, left + 1)
      diagonal = above
      row[j] = left
      best = Math.min(best, left)
    }
    if (best > allowed) return false
    pause(to - from + 1)
  }
  return (row[b.length] ?? tooFar) <= allowed
}
