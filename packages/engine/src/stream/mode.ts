import type { Form } from '../core/forms.ts'

/** How one kind of file is taken apart: a form, and what stands around its items. */
export interface Mode extends Form {
  /**
   * Where the items of a file begin that stands from `from`, or `WAIT` for more of it. What comes before them (a
   * byte-order mark, an opening bracket) goes out in front of the first file's survivors. Absent: at `from`.
   */
  headEnd?(from: number, to: number, complete: boolean): number
  /**
   * Present when the first item of each file is a header: what the header at the head of the space is compared by. A
   * later header that equals the first one is left out.
   */
  headerKey?(): Uint8Array
  /** This many items at the head of the space are done with, up to `to`. */
  passed?(count: number, to: number): void
  /** A file has ended, at `to`. */
  fileEnded?(to: number): void
  /** What goes out behind the last survivor. */
  tail?(): Uint8Array
  /** What parts two items when the input has not shown its own way yet. */
  readonly usualBreak: Uint8Array
}

/** A file's head is not complete. */
export const WAIT = -1

/** A line break, for `usualBreak`. */
export const NEWLINE: Uint8Array = Uint8Array.of(0x0a)

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** @returns where the byte-order mark at `from` ends, `from` when there is none, `WAIT` when it may be about to come */
export function byteOrderMarkEnd(bytes: Uint8Array, from: number, to: number, complete: boolean): number {
  const differing = BYTE_ORDER_MARK.findIndex((byte, i) => from + i >= to || bytes[from + i] !== byte)
  if (differing < 0) return from + BYTE_ORDER_MARK.length
  return from + differing === to && !complete ? WAIT : from
}
