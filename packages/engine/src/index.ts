/*
 * How duplicates are found: the first one is kept, the order is kept, nothing else is touched. Pure: no clock, no network,
 * no dependency; the same in Node, in browsers and in workers.
 */

export { NotJson } from './core/not-json.ts'
export type { JsonOptions, LinesOptions, RowsOptions } from './core/questions.ts'
export { DedupeStream, jsonStream, linesStream, rowsStream, type StreamSettings } from './face/stream.ts'
export { type Deduped, dedupeJson, dedupeLines, dedupeRows, type Text } from './face/whole.ts'
