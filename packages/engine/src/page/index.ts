/** For pages: judges a list in a blob slice by slice; the result can be queried afterwards. */

export { NotJson } from '../core/not-json.ts'
export type { JsonOptions, LinesOptions, Question, RowsOptions } from '../core/questions.ts'
export { SEED_BYTES } from '../core/seed.ts'
export { NoMemory } from '../core/space.ts'
export { TooLong } from '../stream/stream-deduplicator.ts'
export { DISCARDED, type ShouldStop, Stopped } from '../verdicts.ts'
export { type JudgeOptions, judgeSource } from './judge.ts'
export type { Judged } from './judged.ts'
export type { Source } from './source.ts'
export { NotUtf8 } from './utf8.ts'
