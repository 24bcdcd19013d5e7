import { type ShouldStop, Stopped, type Verdicts } from '../verdicts.ts'
import { findLeaders, TUNING } from './leaders.ts'
import { normalizeKey } from './normalize.ts'
import { checkedThreshold } from './threshold.ts'

/** How many keys are normalised between two calls of `shouldStop`. */
const KEYS_PER_STOP_CHECK = 512

const never: ShouldStop = () => false

/**
 * Finds the rows that are near-duplicates of an earlier one.
 *
 * Rows are processed in order. A row is dropped if its key reaches `threshold` with any key already kept, and kept
 * otherwise; later keys are never compared with dropped ones. The similarity of two normalised keys of m and n code
 * points with Levenshtein distance d is `(max(m, n) - d) / max(m, n)`, and 1 if both are empty. The survivor of a
 * dropped row is the first kept row whose key reaches the threshold. No pair is missed.
 *
 * @param keys one key per row: its chosen cells joined by a space, not yet normalised
 * @param threshold from 0.5 to 1
 * @param seed a random 32-bit number, so that nobody can prepare keys whose hashes collide; verdicts do not depend on
 * it
 * @throws TypeError when `threshold` is not a number between 0.5 and 1
 * @throws Stopped when `shouldStop` returns true
 */
export function judgeFuzzy(
  keys: readonly string[],
  threshold: number,
  shouldStop: ShouldStop = never,
  seed = 0,
): Verdicts {
  const normalized = keys.map((key, row) => {
    if (row % KEYS_PER_STOP_CHECK === 0 && shouldStop()) throw new Stopped()
    return normalizeKey(key)
  })
  return judgeNormalized(normalized, threshold, shouldStop, seed)
}

/**
 * Like `judgeFuzzy`, for keys that are already normalised.
 * @throws TypeError when `threshold` is not a number between 0.5 and 1
 * @throws Stopped when `shouldStop` returns true
 */
export function judgeNormalized(
  keys: readonly string[],
  threshold: number,
  shouldStop: ShouldStop = never,
  seed = 0,
): Verdicts {
  checkedThreshold(threshold)
  const distinct = distinctKeys(keys, shouldStop)
  // At 1, only equal keys are duplicates.
  const leaderOf =
    threshold === 1
      ? Int32Array.from(distinct.keys.keys())
      : findLeaders(distinct.keys, threshold, shouldStop, { ...TUNING, seed }).leaderOf
  const survivorOf = distinct.indexOf.map((key) => distinct.firstRowOf[leaderOf[key] ?? key] ?? 0)
  let kept = 0
  survivorOf.forEach((survivor, row) => {
    if (survivor === row) kept++
  })
  return { survivorOf, kept, removed: keys.length - kept }
}

interface Distinct {
  /** Normalised keys without repetition, in order of appearance. */
  readonly keys: readonly string[]
  /** The first row of each distinct key. */
  readonly firstRowOf: readonly number[]
  /** The distinct key of each row. */
  readonly indexOf: Int32Array
}

/** Equal keys get the same verdict, so only the first of them is compared. */
function distinctKeys(keys: readonly string[], shouldStop: ShouldStop): Distinct {
  const seen = new Map<string, number>()
  const firstRowOf: number[] = []
  const indexOf = new Int32Array(keys.length)
  keys.forEach((key, row) => {
    if (row % KEYS_PER_STOP_CHECK === 0 && shouldStop()) throw new Stopped()
    const index = seen.get(key) ?? seen.size
    if (index === seen.size) {
      seen.set(key, index)
      firstRowOf.push(row)
    }
    indexOf[row] = index
  })
  return { keys: [...seen.keys()], firstRowOf, indexOf }
}
