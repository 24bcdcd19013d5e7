/*
 * How duplicates are found: a list is read, then judged, then written. Pure: text in, survivors out, no clock,
 * no network, no dependency; the same in Node, in browsers and in workers.
 */

export { NotJson } from './core/not-json.ts'
export type { JsonOptions, LinesOptions, RowsOptions } from './core/questions.ts'
export { writeCell } from './csv.ts'
export { DedupeStream, jsonStream, linesStream, rowsStream, type StreamSettings } from './face/stream.ts'
export { type Deduped, dedupeJson, dedupeLines, dedupeRows, type Text } from './face/whole.ts'
export { canonicalJson, canonicalNumber } from './json/canonical.ts'
export {
  itemsOf,
  itemValue,
  type JsonItems,
  type JsonMatching,
  judgeItems,
  readItems,
  writeItems,
} from './json/items.ts'
export {
  type JsonDocument,
  type JsonKind,
  type JsonValue,
  kindOf,
  membersOf,
  readJson,
  stringOf,
  textOf,
} from './json/value.ts'
export { judgeLines, type Lines, type LinesMatching, readLines, writeLines } from './lines.ts'
export {
  cellsOf,
  fuzzyKeys,
  headerText,
  judgeRows,
  type Rows,
  type RowsMatching,
  readRows,
  rowText,
  writeRows,
} from './rows/rows.ts'
export { DISCARDED, type ShouldStop, Stopped, type Verdicts } from './verdicts.ts'
