/*
 * Removes duplicates: the first entry is kept, the order is kept, nothing else is touched. Pure: no clock, no network,
 * no dependencies; the same in Node, browsers and workers.
 */

export { NotJson } from './core/not-json.ts'
export type { JsonOptions, LinesOptions, RowsOptions } from './core/questions.ts'
export { DedupeStream, jsonStream, linesStream, rowsStream, type StreamSettings } from './face/stream.ts'
export { type Deduped, dedupeJson, dedupeLines, dedupeRows, type Text } from './face/whole.ts'
