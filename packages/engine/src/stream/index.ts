import { judgeBatch } from '../core/judge.ts'
import { Space } from '../core/space.ts'
import type { FileSplitter } from '../core/splitter.ts'
import { JsonFiles, type JsonStreamOptions } from '../modes/json-files.ts'
import { type LineStreamOptions, Lines } from '../modes/lines.ts'
import { type RowStreamOptions, Rows } from '../modes/rows.ts'
import { type FuzzyRowStreamOptions, FuzzyRows } from './fuzzy-rows.ts'
import type { Spill } from './spill.ts'
import { SpilledItems } from './spilled-items.ts'
import { type Sifting, type Sink, StreamDeduplicator } from './stream-deduplicator.ts'
import { Window } from './window.ts'

export { NotJson } from '../core/not-json.ts'
export { SEED_BYTES } from '../core/seed.ts'
export { NoMemory } from '../core/space.ts'
export type { JsonStreamOptions } from '../modes/json-files.ts'
export type { LineStreamOptions } from '../modes/lines.ts'
export type { KeyColumns, RowStreamOptions } from '../modes/rows.ts'
export type { FuzzyRowStreamOptions } from './fuzzy-rows.ts'
export type { Spill } from './spill.ts'
export { type Sifting, type Sink, TooLong } from './stream-deduplicator.ts'

/** What every stream needs besides the options of its mode. */
export interface StreamOptions {
  readonly sink: Sink
  /** SEED_BYTES unpredictable bytes, for the hash. */
  readonly random: Uint8Array
  /** Keep the keys and compare them byte by byte. */
  readonly exact: boolean
  /** Memory for an item and its key, at most and by default 4 GB; the item itself can use only a part of it. */
  readonly memoryBytes?: number
  /** Memory for keys; beyond it, items and keys go to `spill`. Without it all keys stay in memory, up to 4 GB. */
  readonly keys?: { memoryBytes: number; spill: Spill }
}

/**
 * Deduplicates the lines of files.
 * @throws NoMemory when there is not enough to begin with
 */
export function siftLines(options: LineStreamOptions, stream: StreamOptions): Sifting {
  const space = openSpace(stream)
  return deduplicateExactly(space, new Lines(space, options), stream)
}

/**
 * Deduplicates the rows of CSV files.
 * @throws NoMemory when there is not enough to begin with
 */
export function siftRows(options: RowStreamOptions, stream: StreamOptions): Sifting {
  const space = openSpace(stream)
  return deduplicateExactly(space, new Rows(space, options), stream)
}

/**
 * Deduplicates the rows of CSV files by similarity. Holds the whole input in memory, whatever `exact` says.
 * @throws NoMemory when there is not enough to begin with
 */
export function siftFuzzyRows(options: FuzzyRowStreamOptions, stream: StreamOptions): Sifting {
  const space = openSpace(stream)
  const rows = new Rows(space, { ...options, caseSensitive: true })
  const { judgeKeys } = options
  return new FuzzyRows(new Window(space, rows.room, { memoryBytes: stream.memoryBytes }), rows, {
    judgeKeys,
    sink: stream.sink,
  })
}

/**
 * Deduplicates JSON files: one array each, or one value per line.
 * @throws NoMemory when there is not enough to begin with
 */
export function siftJson(options: JsonStreamOptions, stream: StreamOptions): Sifting {
  const space = openSpace(stream)
  return deduplicateExactly(space, new JsonFiles(space, options), stream)
}

function openSpace({ random }: StreamOptions): Space {
  const space = new Space()
  space.seedWith(random)
  return space
}

function deduplicateExactly(
  space: Space,
  splitter: FileSplitter,
  { sink, exact, memoryBytes, keys }: StreamOptions,
): Sifting {
  const window = new Window(space, splitter.room, { memoryBytes })
  space.openTable({ total: 0, positions: sink.removed !== undefined, exact })
  const spilled = keys && new SpilledItems(window, splitter, { ...keys, exact })
  const judge = spilled
    ? (count: number, position: number) => spilled.judge(count, position)
    : (count: number, position: number) => judgeBatch(space, splitter, count, position)
  return new StreamDeduplicator(window, splitter, { sink, judge, spilled })
}
