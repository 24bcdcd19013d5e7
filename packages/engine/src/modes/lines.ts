import { ESCAPED_BYTES, RETURN } from '../core/bytes.ts'
import { lowerKeys } from '../core/lower.ts'
import { type KeyRoom, NO_ROOM, type Space } from '../core/space.ts'
import { type FileSplitter, NEWLINE } from '../core/splitter.ts'
import type { ModeRecord, Open, RequestData } from './mode.ts'
import { GivenOptions } from './options.ts'

/** How lines are compared (specification 2.2). */
export interface LinesOptions {
  readonly trim?: boolean
  readonly ignoreCase?: boolean
  readonly dropEmpty?: boolean
}

export interface LineStreamOptions {
  readonly trim: boolean
  readonly ignoreCase: boolean
  readonly dropEmpty: boolean
  /** Items end with a NUL byte instead of a line break. */
  readonly nullSeparated?: boolean
}

const NULL: Uint8Array = Uint8Array.of(0)

/** Lines as in specification 2.2, except that a final line break ends the last line. */
export class Lines implements FileSplitter {
  readonly room: KeyRoom
  readonly usualBreak: Uint8Array
  readonly #space: Space
  readonly #options: LineStreamOptions
  readonly #nullSeparated: boolean

  constructor(space: Space, options: LineStreamOptions) {
    this.#space = space
    this.#options = options
    this.#nullSeparated = options.nullSeparated ?? false
    this.room = options.ignoreCase ? { made: 0, lowered: 2 } : NO_ROOM
    this.usualBreak = this.#nullSeparated ? NULL : NEWLINE
  }

  split(limit: number, from: number, to: number, complete: boolean): number {
    const { kernel, items } = this.#space
    return kernel.splitLines(items, limit, from, to, complete, this.#nullSeparated)
  }

  setKeys(count: number): void {
    const { trim, ignoreCase, dropEmpty } = this.#options
    this.#space.kernel.keyLines(this.#space.items, count, trim, dropEmpty)
    if (ignoreCase) lowerKeys(this.#space, count)
  }
}

export const LINES: ModeRecord<'lines', Required<LinesOptions>> = {
  ask(given) {
    const options = new GivenOptions(given)
    return {
      mode: 'lines',
      options: {
        trim: options.boolean('trim', false),
        ignoreCase: options.boolean('ignoreCase', false),
        dropEmpty: options.boolean('dropEmpty', false),
      },
    }
  },
  // Over HTTP a break at the very end starts one more, empty line.
  readString: (_, { bytes, breaks }) => ({ count: breaks + 1, bytes, ends: undefined }),
  place(space, { bytes, count }, options) {
    const { from, to } = placeLines(space, bytes)
    return {
      splitter: new Lines(space, options),
      placed: from,
      from,
      to,
      writing: {
        opening: '[',
        separator: ',',
        closing: ']',
        write: (lines, at) => space.kernel.writeLines(space.items, lines, at),
      },
      mostBytes: ESCAPED_BYTES * bytes.length + 3 * count,
    }
  },
}

export const openLines: Open<Required<LinesOptions>> = (space, options) => ({
  splitter: new Lines(space, options),
  writing: {
    opening: '',
    separator: '\n',
    closing: '',
    write: (lines, at) => space.kernel.writePlainLines(space.items, lines, at),
  },
})

/** The lines of a text. Takes ownership of the bytes. */
export function readLines(space: Space, bytes: Uint8Array<ArrayBuffer>): RequestData {
  const { from, to } = placeLines(space, bytes)
  return { count: space.kernel.countLines(from, to) >>> 0, bytes, ends: undefined }
}

/** With one more break, a last, empty line ends like the others. */
function placeLines(space: Space, bytes: Uint8Array): { from: number; to: number } {
  const from = space.place(bytes, 1)
  const to = from + bytes.length + 1
  space.bytes[to - 1] = RETURN
  space.endText(to)
  return { from, to }
}
