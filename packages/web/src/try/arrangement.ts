import type { Fold, Order } from './messages.ts'

/*
 * The order of the removed list: groups, each a survivor with what was removed for it. A group is one line for
 * the survivor and, unless it is folded up, one for each of its members. Pure.
 */

/** What stands in one line: a group's survivor, or the member at this place of `members`. */
type Place = { readonly group: number; readonly member: number | undefined }

export class Arrangement {
  /** The removed entries, group after group. */
  readonly members: Int32Array
  /** Where the members of each group begin; one more at the end. */
  readonly #starts: Int32Array
  readonly #folded: Uint8Array
  /** The line in which each group begins; one more at the end. */
  readonly #lines: Int32Array

  private constructor(members: Int32Array, starts: Int32Array) {
    this.members = members
    this.#starts = starts
    this.#folded = new Uint8Array(starts.length - 1)
    this.#lines = new Int32Array(starts.length)
    this.#count()
  }

  /**
   * @param survivorOf of each entry its survivor, which is the entry itself when it was kept, or negative
   * @param similarity of a removed entry and its survivor; asked for in the order of similarity alone
   */
  static of(survivorOf: Int32Array, order: Order, similarity: (entry: number) => number): Arrangement {
    return order === 'survivor'
      ? Arrangement.#bySurvivor(survivorOf)
      : Arrangement.#bySimilarity(survivorOf, similarity)
  }

  /** Survivors in the order of the list, what was removed for one in the order of the list as well. */
  static #bySurvivor(survivorOf: Int32Array): Arrangement {
    const groupSize = new Int32Array(survivorOf.length)
    let removed = 0
    let groups = 0
    survivorOf.forEach((survivor, entry) => {
      if (survivor < 0 || survivor === entry) return
      if (groupSize[survivor] === 0) groups += 1
      groupSize[survivor] = (groupSize[survivor] ?? 0) + 1
      removed += 1
    })
    const starts = new Int32Array(groups + 1)
    // From here on: where the next member of the survivor goes.
    const next = groupSize
    let group = 0
    let start = 0
    groupSize.forEach((size, survivor) => {
      if (size === 0) return
      starts[group++] = start
      next[survivor] = start
      start += size
    })
    starts[groups] = removed
    const members = new Int32Array(removed)
    survivorOf.forEach((survivor, entry) => {
      if (survivor < 0 || survivor === entry) return
      const at = next[survivor] ?? 0
      members[at] = entry
      next[survivor] = at + 1
    })
    return new Arrangement(members, starts)
  }

  /** Every pair a group of its own, the least alike first. */
  static #bySimilarity(survivorOf: Int32Array, similarity: (entry: number) => number): Arrangement {
    const removed: { entry: number; alike: number }[] = []
    survivorOf.forEach((survivor, entry) => {
      if (survivor >= 0 && survivor !== entry) removed.push({ entry, alike: similarity(entry) })
    })
    removed.sort((a, b) => a.alike - b.alike || a.entry - b.entry)
    return new Arrangement(
      Int32Array.from(removed, ({ entry }) => entry),
      Int32Array.from({ length: removed.length + 1 }, (_, at) => at),
    )
  }

  get lineCount(): number {
    return this.#lines.at(-1) ?? 0
  }

  /** What stands in the line of this number, counted from 0. */
  at(line: number): Place {
    const group = this.#groupAt(line)
    const within = line - (this.#lines[group] ?? 0)
    return { group, member: within === 0 ? undefined : (this.#starts[group] ?? 0) + within - 1 }
  }

  /** The first of a group's members. */
  firstOf(group: number): number {
    return this.members[this.#starts[group] ?? 0] ?? 0
  }

  sizeOf(group: number): number {
    return (this.#starts[group + 1] ?? 0) - (this.#starts[group] ?? 0)
  }

  isFolded(group: number): boolean {
    return this.#folded[group] === 1
  }

  fold(fold: Fold): void {
    if ('all' in fold) this.#folded.fill(fold.all ? 1 : 0)
    else this.#folded[fold.group] = this.isFolded(fold.group) ? 0 : 1
    this.#count()
  }

  #count(): void {
    let line = 0
    for (let group = 0; group < this.#folded.length; group += 1) {
      this.#lines[group] = line
      line += 1 + (this.isFolded(group) ? 0 : this.sizeOf(group))
    }
    this.#lines[this.#folded.length] = line
  }

  /** The last group that begins at or before the line. */
  #groupAt(line: number): number {
    let low = 0
    let high = this.#folded.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#lines[middle] ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }
}
