import type { Fold, Order } from './messages.ts'

/** The content of a line: a group's survivor, or the member at this index of `members`. */
type LineContent = { readonly group: number; readonly member: number | undefined }

/**
 * The order of the removed list: groups of a survivor and what was removed because of it. A group has one line for the
 * survivor and, unless it is collapsed, one for each member.
 */
export class Arrangement {
  /** The removed entries, group by group. */
  readonly members: Int32Array
  /** Where the members of each group begin, plus the end. */
  readonly #starts: Int32Array
  readonly #folded: Uint8Array
  /** The first line of each group, plus the end. */
  readonly #lines: Int32Array

  private constructor(members: Int32Array, starts: Int32Array) {
    this.members = members
    this.#starts = starts
    this.#folded = new Uint8Array(starts.length - 1)
    this.#lines = new Int32Array(starts.length)
    this.#count()
  }

  /**
   * @param survivorOf each entry's survivor: the entry itself if it was kept; negative for none
   * @param similarity similarity of a removed entry and its survivor; called only for the order by similarity
   */
  static of(survivorOf: Int32Array, order: Order, similarity: (entry: number) => number): Arrangement {
    return order === 'survivor'
      ? Arrangement.#bySurvivor(survivorOf)
      : Arrangement.#bySimilarity(survivorOf, similarity)
  }

  /** Survivors in list order, and the members of each in list order. */
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
    // From here on: the index for the survivor's next member.
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

  /** Every pair as its own group, least similar first. */
  static #bySimilarity(survivorOf: Int32Array, similarity: (entry: number) => number): Arrangement {
    const removed: { entry: number; similarity: number }[] = []
    survivorOf.forEach((survivor, entry) => {
      if (survivor >= 0 && survivor !== entry) removed.push({ entry, similarity: similarity(entry) })
    })
    removed.sort((a, b) => a.similarity - b.similarity || a.entry - b.entry)
    return new Arrangement(
      Int32Array.from(removed, ({ entry }) => entry),
      Int32Array.from({ length: removed.length + 1 }, (_, at) => at),
    )
  }

  get lineCount(): number {
    return this.#lines.at(-1) ?? 0
  }

  /** The content of a line, counted from 0. */
  at(line: number): LineContent {
    const group = this.#groupAt(line)
    const within = line - (this.#lines[group] ?? 0)
    return { group, member: within === 0 ? undefined : (this.#starts[group] ?? 0) + within - 1 }
  }

  /** The first member of a group. */
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
