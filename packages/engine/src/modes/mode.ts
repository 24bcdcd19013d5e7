import type { Space } from '../core/space.ts'
import type { FileSplitter, Splitter } from '../core/splitter.ts'

/** What the engine does differently in one mode. `Options` are complete. */
export interface ModeRecord<Name, Options> {
  /**
   * The question that options ask, with defaults for those that are absent (specification 2.2).
   * @throws TypeError when an option's value is not permitted
   */
  ask(given: object): { readonly mode: Name; readonly options: Options }
  /** The list of a request whose `data` is a string; absent if it may not be one. */
  readString?(space: Space, string: FoundString): RequestData
  /** The list of a request whose `data` is an array; absent if it may not be one. */
  readArray?(space: Space, array: FoundArray): RequestData
  /** Places the list of a request in a space. */
  place(space: Space, data: RequestData, options: Options): PlacedList
}

/** How a page splits a list that it reads from a source, and writes the API's `result`. */
export type Open<Options> = (
  space: Space,
  options: Options,
  reading: Reading,
) => { readonly splitter: FileSplitter; readonly writing: Writing }

/** The list of a request, as a plain value that any thread can take over and run. */
export interface RequestData {
  /** Number of lines, of rows including a header, or of items. */
  readonly count: number
  /** The text of lines or rows, or the bytes of an array: a view of the body's own buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /**
   * Where each row or item ends in `bytes`, as the kernel notes it (assembly/core/item.ts), so that the list need not
   * be scanned again. Undefined for lines, and where it would take more memory than the list.
   */
  readonly ends: Uint32Array<ArrayBuffer> | undefined
}

/** A string in a request. */
export interface FoundString {
  /** Its text, in the body's own buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where its text is in the space as well. */
  readonly at: number
  readonly breaks: number
}

/** An array in a request. */
export interface FoundArray {
  /** Its JSON text, in the body's own buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly count: number
  /** Where the ends of its items are in the space: 32 bits each. */
  readonly ends: number
}

/** A list in a space: how to split it, where its text is, and how its survivors are written. */
export interface PlacedList {
  readonly splitter: Splitter
  /** Address of the text, within which keys may stay in place. */
  readonly placed: number
  readonly from: number
  readonly to: number
  readonly writing: Writing
  /** The most bytes that all survivors together can take in the answer. */
  readonly mostBytes: number
}

/** Writes survivors as a `result`. */
export interface Writing {
  /** The text before, between and after the survivors. */
  readonly opening: string
  readonly separator: string
  readonly closing: string
  /** Writes the survivors among the first `count` items, each followed by the separator; returns the end. */
  write(count: number, to: number): number
}

/** How a page reads a list. */
export interface Reading {
  /**
   * `api`: like the text in a request. A line break at the very end starts one more, empty line; invalid UTF-8 is
   * rejected; the output is the API's `result`. `file`: as the command line reads a file.
   */
  readonly form: 'api' | 'file'
  /** The separator between the cells of a row, one byte. */
  readonly delimiter: number
  /** Called with the cells of the header, if there is one. */
  onHeader(cells: readonly string[]): void
}
