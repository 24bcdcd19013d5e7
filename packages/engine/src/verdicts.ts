/** Asked a few times a second by long work. Once it answers true, the work ends by throwing `Stopped`. */
export type ShouldStop = () => boolean

/** Long work was told to end before it was done. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** In `survivorOf`: the item takes no part at all (an empty line under `dropEmpty`). */
export const DISCARDED = -1

/**
 * What was decided about each item of a list, in the order of the list.
 *
 * `survivorOf[i]` is `i` when item i is kept (the first of its kind), an earlier position when item i is
 * a duplicate of that survivor, and `DISCARDED` when it is neither kept nor removed.
 */
export interface Verdicts {
  readonly survivorOf: Int32Array
  readonly kept: number
  readonly removed: number
}

/** Items between two questions whether to stop. */
const ITEMS_PER_QUESTION = 4_096

/**
 * Exact comparison, the same in every mode: the first item of each key is kept, later ones are its duplicates.
 * `keyOf` tells the key of an item, or undefined when the item is to be discarded.
 */
export function judgeByKey(
  count: number,
  keyOf: (item: number) => string | undefined,
  shouldStop: ShouldStop = () => false,
): Verdicts {
  const survivorOf = new Int32Array(count)
  const firstWith = new Map<string, number>()
  let discarded = 0
  for (let item = 0; item < count; item += 1) {
    if (item % ITEMS_PER_QUESTION === 0 && shouldStop()) throw new Stopped()
    const key = keyOf(item)
    if (key === undefined) {
      survivorOf[item] = DISCARDED
      discarded += 1
      continue
    }
    const first = firstWith.get(key)
    survivorOf[item] = first ?? item
    if (first === undefined) firstWith.set(key, item)
  }
  const kept = firstWith.size
  return { survivorOf, kept, removed: count - kept - discarded }
}

/** Picks what `read` gives for each item that was kept, in the order of the list. */
export function survivors(verdicts: Verdicts, read: (item: number) => string): string[] {
  const kept: string[] = []
  verdicts.survivorOf.forEach((survivor, item) => {
    if (survivor === item) kept.push(read(item))
  })
  return kept
}
