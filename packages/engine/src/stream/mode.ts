import type { Form } from '../core/forms.ts'

/** How one kind of file is split: a form, and what surrounds its items. */
export interface Mode extends Form {
  /**
   * Where the items of a file that starts at `from` begin, or `WAIT` if more input is needed. What precedes them (a
   * byte-order mark, an opening bracket) is emitted before the survivors of the first file. If absent: at `from`.
   */
  headEnd?(from: number, to: number, complete: boolean): number
  /**
   * Present if the first item of each file is a header: the header's key, for the item at the start of the space. A
   * later header equal to the first is dropped.
   */
  headerKey?(): Uint8Array
  /** Called when this many items at the start of the space have been processed, up to `to`. */
  passed?(count: number, to: number): void
  /** Called when a file has ended, at `to`. */
  fileEnded?(to: number): void
  /** What is emitted after the last survivor. */
  tail?(): Uint8Array
  /** The separator between items if the input has not shown one yet. */
  readonly usualBreak: Uint8Array
}

/** The head of a file is not complete. */
export const WAIT = -1

/** A line break, for `usualBreak`. */
export const NEWLINE: Uint8Array = Uint8Array.of(0x0a)

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** @returns the end of the byte-order mark at `from`; `from` if there is none; `WAIT` if there may be one */
export function byteOrderMarkEnd(bytes: Uint8Array, from: number, to: number, complete: boolean): number {
  const differing = BYTE_ORDER_MARK.findIndex((byte, i) => from + i >= to || bytes[from + i] !== byte)
  if (differing < 0) return from + BYTE_ORDER_MARK.length
  return from + differing === to && !complete ? WAIT : from
}
