import { RETURN } from '../core/bytes.ts'
import { Space } from '../core/space.ts'
import type { FileSplitter } from '../core/splitter.ts'
import { type Mode, OPEN, type Question } from '../modes/index.ts'
import { Lines } from '../modes/lines.ts'
import type { Reading, Writing } from '../modes/mode.ts'
import type { StreamDeduplicator } from '../stream/stream-deduplicator.ts'
import { Window } from '../stream/window.ts'
import { type Source, slicesOf } from './source.ts'

/** How a page reads a list from a source. */
export interface ReadingOptions extends Omit<Reading, 'onHeader'> {
  /** How much of the source is read at a time. */
  readonly sliceBytes: number
}

/** A list about to be read, in its own space. */
export interface OpenedList {
  readonly space: Space
  readonly window: Window
  readonly splitter: FileSplitter
  /** Writes survivors as the API's `result`. */
  readonly writing: Writing
}

/** Opens a list in a space of its own. */
export function openList<M extends Mode>({ mode, options }: Question<M>, reading: Reading): OpenedList {
  const space = new Space()
  const { splitter, writing } = OPEN[mode](space, options, reading)
  // Rewriting a row doubles its quotes.
  return { space, splitter, writing, window: new Window(space, splitter.room, { outGrowth: 2 }) }
}

interface Processing {
  readonly deduplicator: StreamDeduplicator
  readonly readingOptions: ReadingOptions
}

/** Processes the whole source; yields each slice when it is done, and an empty one at the end. */
export async function* processSource(
  source: Source,
  { splitter }: OpenedList,
  { deduplicator, readingOptions }: Processing,
): AsyncGenerator<Uint8Array> {
  for await (const slice of slicesOf(source, readingOptions.sliceBytes)) {
    deduplicator.push(slice)
    yield slice
  }
  // With one more break, the last, empty line ends like the others.
  if (splitter instanceof Lines && readingOptions.form === 'api') deduplicator.push(Uint8Array.of(RETURN))
  deduplicator.endFile()
  deduplicator.end()
  yield new Uint8Array()
}
