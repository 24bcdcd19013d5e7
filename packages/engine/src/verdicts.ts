/** Called a few times a second by long work, which throws `Stopped` once this returns true. */
export type ShouldStop = () => boolean

/** Long work was stopped before it was done. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** In `survivorOf`: the item was dropped without being a duplicate (an empty line with `dropEmpty`). */
export const DISCARDED = -1

/**
 * The verdict on each item of a list, in list order.
 *
 * `survivorOf[i]` is `i` if item i is kept (the first of its kind), an earlier position if it is a duplicate of that
 * survivor, and `DISCARDED` if it is neither kept nor removed.
 */
export interface Verdicts {
  readonly survivorOf: Int32Array
  readonly kept: number
  readonly removed: number
}
