import { type FuzzyRowStreamOptions, FuzzyRows } from './fuzzy-rows.ts'
import { JSON_KEY_GROWTH, JSON_KEY_SLACK_BYTES, JsonMode, type JsonStreamOptions } from './json.ts'
import { type LineStreamOptions, LinesMode } from './lines.ts'
import { LOWER_CASE_GROWTH } from './lowercase.ts'
import { ROW_KEY_GROWTH, type RowStreamOptions, RowsMode } from './rows.ts'
import { type Mode, Sifter, type Sifting, type Sink } from './sifter.ts'
import { KeyTable } from './table.ts'
import { type KeyRoom, Workspace } from './workspace.ts'

export type { FuzzyRowStreamOptions } from './fuzzy-rows.ts'
export { type JsonStreamOptions, NotJson } from './json.ts'
export type { LineStreamOptions } from './lines.ts'
export type { RowStreamOptions } from './rows.ts'
export { type Sifting, type Sink, TooLong } from './sifter.ts'
export { SEED_BYTES } from './workspace.ts'

/** What every stream needs besides its mode's options. */
export interface StreamOptions {
  sink: Sink
  /** SEED_BYTES unpredictable bytes, for the hash. */
  random: Uint8Array
  /** Keep the keys themselves: certainty, byte for byte, for memory. */
  exact: boolean
  /** All that the workspace may use, 4 GB at most and without this. An item may take a part of it. */
  memoryBytes?: number
}

export function siftLines(options: LineStreamOptions, stream: StreamOptions): Sifting {
  const space = newSpace(stream, { growth: options.ignoreCase ? LOWER_CASE_GROWTH : 0, slackBytes: 0 })
  return siftExactly(space, new LinesMode(space, options), stream)
}

export function siftRows(options: RowStreamOptions, stream: StreamOptions): Sifting {
  const space = newSpace(stream, rowKeyRoom(options))
  return siftExactly(space, new RowsMode(space, options), stream)
}

/** Holds all of the input in memory, whatever `exact` says. */
export function siftFuzzyRows(options: FuzzyRowStreamOptions, stream: StreamOptions): Sifting {
  return new FuzzyRows(() => newSpace(stream, rowKeyRoom(options)), options, stream.sink)
}

/** Throws `NotJson` while it sifts. */
export function siftJson(options: JsonStreamOptions, stream: StreamOptions): Sifting {
  const space = newSpace(stream, { growth: JSON_KEY_GROWTH, slackBytes: JSON_KEY_SLACK_BYTES })
  return siftExactly(space, new JsonMode(space, options), stream)
}

function siftExactly(space: Workspace, mode: Mode, { sink, exact }: StreamOptions): Sifting {
  return new Sifter(space, mode, { sink, judge: new KeyTable(space, { positions: sink.removed !== undefined, exact }) })
}

function newSpace({ random, memoryBytes }: StreamOptions, keyRoom: KeyRoom): Workspace {
  return new Workspace(random, keyRoom, memoryBytes)
}

function rowKeyRoom({ keyColumns }: { keyColumns: readonly number[] }): KeyRoom {
  return { growth: ROW_KEY_GROWTH, slackBytes: keyColumns.length }
}
