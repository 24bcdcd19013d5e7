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
