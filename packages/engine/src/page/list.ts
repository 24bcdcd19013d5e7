import type { Question } from '../core/questions.ts'
import { Space } from '../core/space.ts'
import { JsonMode } from '../stream/json.ts'
import { LinesMode } from '../stream/lines.ts'
import { RowsMode } from '../stream/rows.ts'
import type { StreamDeduplicator } from '../stream/stream-deduplicator.ts'
import { Window } from '../stream/window.ts'
import { type Source, slicesOf } from './source.ts'

/** How a page reads a list. */
export interface ReadOptions {
  /**
   * `api`: like the text in a request. A line break at the very end starts one more, empty line; invalid UTF-8 is
   * rejected; the output is the API's `result`. `file`: as the command line reads a file.
   */
  readonly form: 'api' | 'file'
  /** The separator between the cells of a row, one byte. */
  readonly delimiter: number
  /** How much of the source is read at a time. */
  readonly sliceBytes: number
}

/** A list about to be read, in its own space. */
export interface List {
  readonly space: Space
  readonly window: Window
  readonly mode: LinesMode | RowsMode | JsonMode
}

const RETURN: Uint8Array = Uint8Array.of(0x0d)

/** `onHeader` is called with the cells of the header, if there is one. */
export function openList(
  question: Question,
  readOptions: ReadOptions,
  onHeader: (cells: readonly string[]) => void,
): List {
  const space = new Space()
  const mode = openMode(space, question, { ...readOptions, onHeader })
  // Rewriting a row doubles its quotes.
  return { space, mode, window: new Window(space, mode.room, { outGrowth: 2 }) }
}

type Opening = ReadOptions & { readonly onHeader: (cells: readonly string[]) => void }

function openMode(space: Space, { mode, options }: Question, opening: Opening): List['mode'] {
  switch (mode) {
    case 'lines':
      return new LinesMode(space, options)
    case 'rows': {
      const keyColumns = (header: readonly string[]): readonly number[] => {
        opening.onHeader(header)
        return options.keyColumns
      }
      const { delimiter } = opening
      return new RowsMode(space, {
        ...options,
        delimiter,
        keyColumns: options.hasHeader ? keyColumns : options.keyColumns,
      })
    }
    case 'json':
      return new JsonMode(space, { key: options.key, isLines: false, withSpace: opening.form === 'file' })
  }
}

interface Processing {
  readonly deduplicator: StreamDeduplicator
  readonly readOptions: ReadOptions
}

/** Processes the whole source; yields each slice when it is done, and an empty one at the end. */
export async function* processSource(source: Source, { mode }: List, how: Processing): AsyncGenerator<Uint8Array> {
  const { deduplicator, readOptions } = how
  for await (const slice of slicesOf(source, readOptions.sliceBytes)) {
    deduplicator.push(slice)
    yield slice
  }
  // With one more break, the last, empty line ends like the others.
  if (mode instanceof LinesMode && readOptions.form === 'api') deduplicator.push(RETURN)
  deduplicator.endFile()
  deduplicator.end()
  yield new Uint8Array()
}
