import { JSON_KEY_GROWTH, JSON_KEY_SLACK_BYTES, JsonMode, type JsonStreamOptions } from './json.ts'
import { type LineStreamOptions, LinesMode } from './lines.ts'
import { LOWER_CASE_GROWTH } from './lowercase.ts'
import { ROW_KEY_GROWTH, type RowStreamOptions, RowsMode } from './rows.ts'
import { Sifter, type Sink } from './sifter.ts'
import { Workspace } from './workspace.ts'

export { type JsonStreamOptions, NotJson } from './json.ts'
export type { LineStreamOptions } from './lines.ts'
export type { RowStreamOptions } from './rows.ts'
export { Sifter, type Sink, TooLong } from './sifter.ts'
export { SEED_BYTES } from './workspace.ts'

/** What every stream needs besides its mode's options. */
export interface StreamOptions {
  sink: Sink
  /** SEED_BYTES unpredictable bytes, for the hash. */
  random: Uint8Array
  /** Keep the keys themselves: certainty, byte for byte, for memory. */
  exact: boolean
}

export function siftLines(options: LineStreamOptions, stream: StreamOptions): Sifter {
  const space = new Workspace(stream.random, { growth: options.ignoreCase ? LOWER_CASE_GROWTH : 0, slackBytes: 0 })
  return new Sifter(space, new LinesMode(space, options), stream)
}

export function siftRows(options: RowStreamOptions, stream: StreamOptions): Sifter {
  const space = new Workspace(stream.random, { growth: ROW_KEY_GROWTH, slackBytes: options.keyColumns.length })
  return new Sifter(space, new RowsMode(space, options), stream)
}

/** Throws `NotJson` while it sifts. */
export function siftJson(options: JsonStreamOptions, stream: StreamOptions): Sifter {
  const space = new Workspace(stream.random, { growth: JSON_KEY_GROWTH, slackBytes: JSON_KEY_SLACK_BYTES })
  return new Sifter(space, new JsonMode(space, options), stream)
}
