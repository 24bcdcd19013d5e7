import { LINE_FEED } from './bytes.ts'
import type { KeyRoom } from './space.ts'

/** How one kind of text is split into items. Both functions work on the items at the start of the space. */
export interface Splitter {
  readonly room: KeyRoom
  /**
   * Finds the items between `from` and `to`, at most `limit`, and returns their number. `complete`: the text ends at
   * `to`; otherwise an item that might continue is left for later.
   */
  split(limit: number, from: number, to: number, complete: boolean): number
  /** Sets what the first `count` items are compared by. */
  setKeys(count: number): void
}

/** How one kind of file is split, including what surrounds its items. */
export interface FileSplitter extends Splitter {
  /**
   * Where the items of a file that starts at `from` begin, or `WAIT` if more input is needed. What precedes them is a
   * byte-order mark, an opening (a bracket), or both. If absent: at `from`.
   */
  headEnd?(from: number, to: number, complete: boolean): number
  /**
   * Present if the first item of each file is a header: the header's key, for the item at the start of the space. A
   * later header equal to the first is dropped.
   */
  headerKey?(): Uint8Array
  /** Called when the first item of a later file is not the header, before it is judged; may throw to end the work. */
  notHeader?(): void
  /** Called when this many items at the start of the space have been processed, up to `to`. */
  passed?(count: number, to: number): void
  /** Called when a file has ended, at `to`. */
  fileEnded?(to: number): void
  /** What is emitted after the last survivor. */
  tail?(): Uint8Array
  /** What the item from `start` to `end`, the last of its file, lacks so that something may follow it; often nothing. */
  closing?(start: number, end: number): Uint8Array
  /** The separator between items if the input has not shown one yet. */
  readonly usualBreak: Uint8Array
}

/** A line break, for `usualBreak`. */
export const NEWLINE: Uint8Array = Uint8Array.of(LINE_FEED)
