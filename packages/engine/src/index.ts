/*
 * Removes duplicates: the first entry is kept, the order is kept, nothing else is touched. Pure: no clock, no network,
 * no dependencies; the same in Node, browsers and workers.
 */

export { DedupeStream, jsonStream, linesStream, rowsStream, type StreamSettings } from './api/stream.ts'
export { type Deduped, dedupeJson, dedupeLines, dedupeRows, type Text } from './api/whole.ts'
export { NotJson } from './core/not-json.ts'
export type { JsonOptions } from './modes/json.ts'
export type { LinesOptions } from './modes/lines.ts'
export type { RowsOptions } from './modes/rows.ts'
